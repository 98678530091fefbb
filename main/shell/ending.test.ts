// What closing, quitting and signals do.
import { beforeEach, expect, test } from 'vitest';
import { type Answer, Ending } from './ending.ts';

let running: number;
let did: string[];
let answering: PromiseWithResolvers<Answer>;
let ending: Ending;

beforeEach(() => {
  [running, did] = [0, []];
  answering = Promise.withResolvers();
  ending = new Ending({
    running: () => running,
    ask: (jobs) => {
      did.push(`ask ${jobs}`);
      return answering.promise;
    },
    hide: () => did.push('hide'),
    end: async () => void did.push('end'),
  });
});

test('with nothing running the app ends', async () => {
  await ending.close();
  expect(did).toEqual(['end']);
});

test.each<[Answer, string[]]>([
  ['stop', ['ask 2', 'end']],
  ['keep', ['ask 2', 'hide']],
  ['back', ['ask 2']],
])('while jobs run it asks; %s does %j', async (answer, done) => {
  running = 2;
  const closed = ending.close();
  answering.resolve(answer);
  await closed;
  expect(did).toEqual(done);
});

test('who closes twice is asked once, and again after the answer', async () => {
  running = 1;
  const closed = [ending.close(), ending.close()];
  answering.resolve('back');
  await Promise.all(closed);
  expect(did).toEqual(['ask 1']);
  await ending.close();
  expect(did).toEqual(['ask 1', 'ask 1']);
});

test('a signal does not wait for an answer, and what is answered later changes nothing', async () => {
  running = 1;
  const closed = ending.close();
  await ending.now();
  answering.resolve('keep');
  await closed;
  await ending.now();
  await ending.close();
  expect(did).toEqual(['ask 1', 'end']);
});

test('a question that fails leaves the app as it is', async () => {
  running = 1;
  const closed = ending.close();
  answering.reject(new Error('no dialog'));
  await expect(closed).rejects.toThrow('no dialog');
  running = 0;
  await ending.close();
  expect(did).toEqual(['ask 1', 'end']);
});
