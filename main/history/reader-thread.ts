// The thread that reads the history for the screens: a long query must not stall the engine's loops, nor wait for what is being written.
import { parentPort, workerData } from 'node:worker_threads';
import { openExisting } from './database.ts';
import { historyError } from './errors.ts';
import { type Queries, type QueryName, queries } from './queries.ts';
import { type FirstWord, type Reply, toFailure } from './thread.ts';

export interface ThreadData {
  file: string;
}

export type ToThread = { id: number; query: QueryName; args: Parameters<Queries[QueryName]>[1] } | { id: number; close: true };

const port = parentPort!;
const { file } = workerData as ThreadData;
const answer = (reply: FirstWord<true> | Reply) => port.postMessage(reply);

function open() {
  try {
    return openExisting(file);
  } catch (problem) {
    answer({ refused: toFailure(historyError(problem, file)) });
    port.close();
  }
}

const db = open();
if (db) {
  port.on('message', async (order: ToThread) => {
    const { id } = order;
    if ('close' in order) {
      db.close();
      answer({ id });
      port.close();
      return;
    }
    try {
      const query = queries[order.query] as (database: typeof db, args: unknown) => unknown;
      answer({ id, result: await query(db, order.args) });
    } catch (problem) {
      answer({ id, problem: toFailure(historyError(problem, file)) });
    }
  });
  answer({ opened: true });
}
