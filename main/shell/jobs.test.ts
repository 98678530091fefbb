// What the system is told of the jobs.
import { expect, test } from 'vitest';
import { FakeEngine } from '../host/fake-engine.ts';
import { movesProgress, noticeOf, progressOf, unendedJobs } from './jobs.ts';

const witnesses = (count: number) => Array.from({ length: count }, (_, i) => ({ witness: `${i}.wtns` }));
const circuit = { zkey: '/keys/merkle.zkey' };
const error = { code: 'FileNotFound', message: 'there is no such file' };

test('progress is over the partitions of the jobs that have not ended', async () => {
  const engine = new FakeEngine();
  const progress = () => progressOf(unendedJobs(engine.snapshot()));
  const heard: string[] = [];
  engine.subscribe((event) => {
    if (movesProgress(event)) heard.push(event.type);
  });
  expect(progress()).toBeUndefined();
  await engine.submit({ circuit, partitions: witnesses(3) });
  await engine.submit({ circuit, partitions: witnesses(1) });
  expect(progress()).toBe(0);
  engine.tracker.partitionFailed({ job: 'job-1', partition: 0 }, error);
  expect(progress()).toBe(1 / 4);
  engine.cancel('job-1');
  expect(progress()).toBe(0);
  engine.cancel('job-2');
  expect(progress()).toBeUndefined();
  expect(heard).toEqual(['jobSubmitted', 'jobSubmitted', 'partitionFailed', 'jobEnded', 'jobEnded']);
});

test('a notice says which job ended and how; none of one that a person ended', async () => {
  const engine = new FakeEngine();
  const notices: unknown[] = [];
  engine.subscribe((event, state) => notices.push(noticeOf(event, state)));
  const told = () => notices.splice(0).filter(Boolean);
  await engine.submit({ circuit, partitions: witnesses(2), kind: 'snap-deals' });
  engine.tracker.jobCompleted('job-1', 'succeeded');
  expect(told()).toEqual([{ title: 'snap-deals succeeded', body: '2 proofs of merkle.zkey' }]);
  await engine.submit({ circuit, partitions: witnesses(1) });
  engine.tracker.jobCompleted('job-2', 'failed', error);
  expect(told()).toEqual([{ title: 'merkle failed', body: '0 of 1 proof: there is no such file' }]);
  await engine.submit({ circuit, partitions: witnesses(1) });
  engine.cancel('job-3');
  expect(told()).toEqual([]);
});
