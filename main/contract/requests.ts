// All that can be asked: of the engine, of the history, of the app. One table, so that every host serves the same and checks it alike.
import type * as z from 'zod';
import { type AppResults, appSchemas } from './app.ts';
import { type CommandResults, commandSchemas } from './commands.ts';
import { type HistoryResults, historySchemas } from './history.ts';

export const requestSchemas = { ...commandSchemas, ...historySchemas, ...appSchemas } as const;

export type RequestName = keyof typeof requestSchemas;
export type Request<N extends RequestName> = z.infer<(typeof requestSchemas)[N]>;
export interface RequestResults extends CommandResults, HistoryResults, AppResults {}

/** Who answers each request. */
export type Handlers = { [N in RequestName]: (payload: Request<N>) => Promise<RequestResults[N]> };

export const isRequestName = (name: unknown): name is RequestName =>
  typeof name === 'string' && Object.hasOwn(requestSchemas, name);
