// What can be asked, and who answers: a table of paths.
import { CuzkError } from '../contract/errors.ts';
import { type Answer, json, text } from './answers.ts';
import * as commands from './commands.ts';
import type { HostedEngine } from './engine-face.ts';
import type { Metrics } from './metrics.ts';
import { statusOf } from './status-projection.ts';

/** What the answers are made from. */
export interface Hosted {
  engine: HostedEngine;
  metrics: Metrics;
  /** The engine's clock. */
  now(): number;
}

export interface Call extends Hosted {
  /** The `:id` of the path. */
  id: string;
  /** Reads the body when it is wanted; an empty one is an empty object. */
  body(): Promise<unknown>;
}

/** `stream`: the answer is the stream of events, which is not one body. */
type Handler = ((call: Call) => Answer | Promise<Answer>) | 'stream';

interface Route {
  path: string;
  methods: Record<string, Handler>;
  /** Commands, and what jobs have made, always need the token. */
  guarded: boolean;
}

const index = `cuzk: the status of the proving engine

GET    /status           the state, as JSON
GET    /events           every event as it happens, as server-sent events
GET    /metrics          for Prometheus

With the token (Authorization: Bearer TOKEN):
POST   /jobs             submit a job
GET    /jobs/ID          how it stands, and its proofs when it has ended
DELETE /jobs/ID          cancel it
POST   /jobs/ID/retry    submit its content again
POST   /keys/preload     load a key before it is needed
POST   /keys/evict       take a key out of memory
`;

const routes: Route[] = [
  { path: '/', guarded: false, methods: { GET: () => text(index) } },
  { path: '/status', guarded: false, methods: { GET: ({ engine, now }) => json(statusOf(engine.snapshot(), now())) } },
  { path: '/events', guarded: false, methods: { GET: 'stream' } },
  {
    path: '/metrics',
    guarded: false,
    methods: { GET: async ({ metrics }) => ({ status: 200, contentType: metrics.contentType, body: await metrics.render() }) },
  },
  { path: '/jobs', guarded: true, methods: { POST: async ({ engine, body }) => commands.submit(engine, await body()) } },
  {
    path: '/jobs/:id',
    guarded: true,
    methods: {
      GET: ({ engine, id, now }) => commands.job(engine, id, now()),
      DELETE: ({ engine, id }) => commands.cancel(engine, id),
    },
  },
  {
    path: '/jobs/:id/retry',
    guarded: true,
    methods: { POST: async ({ engine, id, body }) => commands.retry(engine, id, await body()) },
  },
  { path: '/keys/preload', guarded: true, methods: { POST: async ({ engine, body }) => commands.preload(engine, await body()) } },
  { path: '/keys/evict', guarded: true, methods: { POST: async ({ engine, body }) => commands.evict(engine, await body()) } },
];

const compiled = routes.map((route) => ({ ...route, pattern: new RegExp(`^${route.path.replace(':id', '([^/]+)')}$`) }));

/** What a request's target leads to; undefined for a path that there is not. What follows a `?` is not looked at. */
export function findRoute(target: string): { route: Route; id: string } | undefined {
  const path = target.split('?', 1)[0]!;
  for (const { pattern, ...route } of compiled) {
    const match = path.match(pattern);
    if (!match) continue;
    try {
      return { route, id: decodeURIComponent(match[1] ?? '') };
    } catch {
      // A % that begins nothing.
      return undefined;
    }
  }
  return undefined;
}

export const allowedMethods = ({ methods }: Route): string[] =>
  Object.keys(methods).flatMap((m) => (m === 'GET' ? ['GET', 'HEAD'] : [m]));

/** The handler of a method; HEAD is answered as GET, without the body. */
export function handlerOf(route: Route, method: string): Handler {
  const name = method === 'HEAD' ? 'GET' : method;
  if (!Object.hasOwn(route.methods, name))
    throw new CuzkError('HttpMethod', `${route.path} does not take ${method}`, {
      remedy: `use ${allowedMethods(route).join(' or ')}`,
    });
  return route.methods[name]!;
}

export const notFound = (target: string) =>
  new CuzkError('HttpNotFound', `there is nothing at ${target.split('?', 1)[0]}`, { remedy: 'GET / lists what there is' });
