// The order alone: lines and residency are as the test says, and nothing else moves.
import { expect, it } from 'vitest';
import type { Priority } from '../contract/events.ts';
import { DeviceLine } from './device-line.ts';
import { DeviceLock } from './device-lock.ts';
import type { Entry, Job } from './job.ts';
import { Scheduler } from './scheduler.ts';

const lineOf = (device: string, lookahead = 2) => new DeviceLine({ device, lookahead, lock: new DeviceLock() });

function entriesOf(name: string, order: number, partitions: number, more: { key?: string; priority?: Priority } = {}): Entry[] {
  const { key = 'a', priority = 'normal' } = more;
  const job = { id: name, key: { identity: key } } as unknown as Job;
  return Array.from({ length: partitions }, (_, partition) => ({
    ...{ job, partition, source: { witness: name }, priority, jobOrder: order, attempt: 1, avoid: new Set<string>(), passed: 0 },
  }));
}

/** What sets out takes its place and keeps it until `leave` is called; keys are where `hot` and `loading` say. */
function schedulerOf(lines: DeviceLine[], { hot = ['a'], loading = [] as string[], fits = true } = {}) {
  const sent: string[] = [];
  const leaves: (() => void)[] = [];
  const state = { hot: new Set(hot), loading: new Set(loading), fits };
  const residency = {
    residencyOf: ({ identity }: { identity: string }, device: string) => {
      for (const name of [identity, `${identity}@${device}`]) {
        if (state.hot.has(name)) return 'hot' as const;
        if (state.loading.has(name)) return 'loading' as const;
      }
      return 'cold' as const;
    },
    fitsNow: () => state.fits,
  };
  const scheduler = new Scheduler(lines, residency as never, (entry, line) => {
    sent.push(`${entry.job.id}${entry.partition}@${line.device}`);
    const isHot = residency.residencyOf(entry.job.key as never, line.device) === 'hot';
    leaves.push(isHot ? line.expect(entry) : line.load(entry));
  });
  const leave = () => {
    leaves.shift()!();
    scheduler.match();
  };
  return { scheduler, sent, leave, state };
}

it('as many set out as there is room for, spread over the devices, and the next when a place is free', () => {
  const { scheduler, sent, leave } = schedulerOf([lineOf('x'), lineOf('y')]);
  scheduler.push(...entriesOf('j', 1, 6));
  expect(sent).toEqual(['j0@x', 'j1@y', 'j2@x', 'j3@y']);
  leave();
  expect([sent.at(-1), scheduler.size]).toEqual(['j4@x', 1]);
});

it('row 12: a more urgent partition sets out though every place is taken; one that is only earlier does not', () => {
  const { scheduler, sent } = schedulerOf([lineOf('x')]);
  scheduler.push(...entriesOf('long', 2, 5));
  scheduler.push(...entriesOf('older', 1, 1), ...entriesOf('urgent', 3, 2, { priority: 'critical' }));
  expect(sent).toEqual(['long0@x', 'long1@x', 'urgent0@x']);
});

it('a partition goes where its key is, and not where it failed', () => {
  const { scheduler, sent } = schedulerOf([lineOf('x'), lineOf('y')], { hot: ['a@y'], fits: false });
  scheduler.push(...entriesOf('near', 1, 1));
  const [again] = entriesOf('again', 2, 1);
  again!.avoid.add('y');
  scheduler.push(again!);
  expect(sent).toEqual(['near0@y', 'again0@x']);
});

it('while a key is loaded on the only device for one partition, others of it wait, and those whose key is there go on', () => {
  const { scheduler, sent, state } = schedulerOf([lineOf('x')], { loading: ['b'] });
  scheduler.push(...entriesOf('b', 1, 2, { key: 'b' }), ...entriesOf('a', 2, 1));
  expect(sent).toEqual(['a0@x']);
  state.loading.clear();
  state.hot.add('b');
  scheduler.match();
  expect(sent).toEqual(['a0@x', 'b0@x']);
});

it('no more than 32 later partitions are preferred to one whose key others would have to go for', () => {
  const { scheduler, sent, leave } = schedulerOf([lineOf('x', 1)], { fits: false });
  scheduler.push(...entriesOf('other', 1, 1, { key: 'b' }), ...entriesOf('later', 2, 40));
  for (let i = 0; i < 36; i++) leave();
  expect(sent.indexOf('other0@x')).toBe(32);
});

it('nothing is sent to a faulted device, and entries that are taken out are not sent at all', () => {
  const [x, y] = [lineOf('x', 1), lineOf('y', 1)];
  const { scheduler, sent } = schedulerOf([x, y]);
  x.breakDown(new Error('gone'));
  const entries = entriesOf('j', 1, 3);
  scheduler.push(...entries);
  expect(sent).toEqual(['j0@y']);
  expect(scheduler.linesFor(entries[1]!)).toEqual([y]);
  expect(scheduler.remove(({ partition }) => partition === 1)).toEqual([entries[1]]);
  expect(scheduler.size).toBe(1);
});
