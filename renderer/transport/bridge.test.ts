// The page's end of the bridge, against the desktop app's end of it.
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Bridge } from '../../main/contract/bridge.ts';
import type { Handlers } from '../../main/contract/requests.ts';
import type { Snapshot } from '../../main/contract/wire.ts';
import { engineHandlers } from '../../main/host/engine-handlers.ts';
import { FakeEngine } from '../../main/host/fake-engine.ts';
import { PageLink } from '../../main/shell/page-link.ts';
import { bridgeConnection, bridgeOf } from './bridge.ts';
import type { LinkConnection } from './link-connection.ts';

let engine: FakeEngine;
let link: PageLink;
let bridge: Bridge;
let connection: LinkConnection;
let heard: { events: number; snapshots: Snapshot[]; lost: string[] };
let leave: () => void;

beforeEach(() => {
  engine = new FakeEngine();
  engine.tracker.emit({ type: 'engineStarted', budgetBytes: 1000, devices: [], wallMs: 0 });
  let listener: ((message: string) => void) | undefined;
  link = new PageLink({
    engine,
    handlers: engineHandlers(engine) as Handlers,
    now: () => engine.now,
    // As IPC does: later.
    deliver: (text) => setTimeout(() => listener?.(text)),
    onRefused: () => {},
  });
  bridge = {
    send: (text) => void setTimeout(() => link.receive(text)),
    onMessage: (one) => {
      listener = one;
    },
    pathOf: ({ name }) => `/dropped/${name}`,
    chooseFiles: async ({ title }) => [`/chosen/${title}`],
  };
  connection = bridgeConnection(bridge);
  heard = { events: 0, snapshots: [], lost: [] };
  leave = connection.subscribe({
    onEvents: (events) => {
      heard.events += events.length;
    },
    onSnapshot: (snapshot) => heard.snapshots.push(snapshot),
    onLost: ({ message }) => heard.lost.push(message),
  });
});
afterEach(() => {
  leave();
  link[Symbol.dispose]();
});

const until = async (isSo: () => boolean) => {
  for (let i = 0; i < 300 && !isSo(); i++) await new Promise((resolve) => setTimeout(resolve, 10));
  expect(isSo()).toBe(true);
};

it('begins with how things stand, goes on with what happens, and answers', async () => {
  await until(() => heard.snapshots.length === 1);
  const { job } = await connection.request('submit', { circuit: { zkey: 'c.zkey' }, partitions: [{ witness: 'w' }] });
  expect(job).toBe('job-1');
  await until(() => heard.events > 0);
  await expect(connection.request('cancel', { job: 'none' })).rejects.toMatchObject({ code: 'JobUnknown' });
});

it('when the host ends the session the page hears why, what it asked is refused, and it begins another', async () => {
  await until(() => heard.snapshots.length === 1);
  link.receive('nonsense');
  await until(() => heard.lost.length === 1);
  expect(heard.lost[0]).toMatch(/no JSON/);
  await until(() => heard.snapshots.length === 2);
  await expect(connection.request('cancel', { job: 'none' })).rejects.toMatchObject({ code: 'JobUnknown' });
  expect(heard.lost.length).toBe(1);
});

it('after it left it hears nothing', async () => {
  await until(() => heard.snapshots.length === 1);
  leave();
  const before = heard.events;
  await engine.submit({ circuit: { zkey: 'c.zkey' }, partitions: [{ witness: 'w' }] });
  await new Promise((resolve) => setTimeout(resolve, 150));
  expect(heard.events).toBe(before);
});

it("knows dropped files' paths, and has files chosen", async () => {
  expect(connection.pathOf?.(new File([], 'a.zkey'))).toBe('/dropped/a.zkey');
  expect(await connection.chooseFiles?.({ title: 'A key' })).toEqual(['/chosen/A key']);
});

it('is there in the desktop app alone', () => {
  expect(bridgeOf({})).toBeUndefined();
  expect(bridgeOf({ cuzk: bridge })).toBe(bridge);
});
