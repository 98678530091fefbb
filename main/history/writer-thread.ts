// The thread that writes the history: SQLite waits for the disk, which the engine's loops must not. Group commit: whatever has come while one
// transaction was written is in the next one.
import { parentPort, workerData } from 'node:worker_threads';
import { lockForWriting, openForWriting } from './database.ts';
import { historyError, readOnly } from './errors.ts';
import { prepareFile } from './location.ts';
import { recover } from './recovery.ts';
import { type FirstWord, type Reply, toFailure } from './thread.ts';
import { type ChangeName, type Changes, changes } from './upkeep.ts';
import { type Message, Writer } from './writer.ts';

export interface ThreadData {
  file: string;
  app: string;
}

export type ToThread =
  /** `id` of what is answered; events are not. */
  | { id?: number; message: Message }
  | { id: number; change: ChangeName; args: Parameters<Changes[ChangeName]>[1] }
  | { id: number; close: true };

export interface Opened {
  /** The jobs that a dead process left running. */
  interrupted: string[];
}
type FromThread = FirstWord<Opened> | Reply;

/** Events wait this long for company, in milliseconds; what is awaited does not wait. */
const companyMs = 50;
/** As many messages are enough company. */
const enough = 64;

const port = parentPort!;
const { file, app } = workerData as ThreadData;
const answer = (reply: FromThread) => port.postMessage(reply);

async function open() {
  await prepareFile(file);
  const lock = lockForWriting(file);
  if (!lock) throw readOnly(file);
  const db = openForWriting(file);
  return { db, lock, interrupted: recover(db) };
}

const opened = await open().catch((problem) => {
  answer({ refused: toFailure(historyError(problem, file)) });
  port.close();
});
if (opened) {
  const { db, lock, interrupted } = opened;
  const writer = new Writer(db, { file, app });
  let inbox: { id?: number; message: Message }[] = [];
  let timer: NodeJS.Timeout | undefined;
  let soon: NodeJS.Immediate | undefined;

  const write = () => {
    clearTimeout(timer);
    clearImmediate(soon);
    timer = soon = undefined;
    const group = inbox;
    inbox = [];
    const problems = writer.write(group.map(({ message }) => message));
    for (const [i, { id }] of group.entries())
      if (id !== undefined) answer(problems[i] === undefined ? { id } : { id, problem: toFailure(problems[i]) });
  };

  port.on('message', (order: ToThread) => {
    if ('message' in order) {
      inbox.push(order);
      if (order.id !== undefined || inbox.length >= enough) soon ??= setImmediate(write);
      else timer ??= setTimeout(write, companyMs);
      return;
    }
    // These see all that was written before them.
    write();
    if ('close' in order) {
      // Readers find everything in the one file, and nothing beside it is left.
      db.close();
      lock.release();
      answer({ id: order.id });
      port.close();
      return;
    }
    try {
      db.pragma('synchronous = FULL');
      const { change, args } = order;
      const apply = changes[change] as (database: typeof db, args: unknown) => unknown;
      answer({ id: order.id, result: db.transaction(() => apply(db, args)).immediate() });
    } catch (problem) {
      answer({ id: order.id, problem: toFailure(historyError(problem, file)) });
    }
  });
  answer({ opened: { interrupted } });
}
