import { expect, it } from 'vitest';
import { Requests } from './requests.ts';

const never = () => Promise.reject(new Error('not to be begun'));

it('row 11: the same content attaches in whatever order its fields come, nested ones too', async () => {
  const requests = new Requests();
  const first = await requests.once('key', { circuit: { zkey: 'a', wasm: 'b' }, kind: 'k' }, async () => 'job-1');
  expect(first).toEqual({ job: 'job-1', attached: false });
  const again = await requests.once('key', { kind: 'k', circuit: { wasm: 'b', zkey: 'a' } }, never);
  expect(again).toEqual({ job: 'job-1', attached: true });
});

it('row 11: other content is refused, also in the order of partitions; another key is another job', async () => {
  const requests = new Requests();
  await requests.once('key', { partitions: ['a', 'b'] }, async () => 'job-1');
  for (const content of [{ partitions: ['b', 'a'] }, { partitions: ['a', 'b'], kind: 'k' }])
    await expect(requests.once('key', content, never)).rejects.toMatchObject({ code: 'RequestKeyInUse' });
  expect((await requests.once('other', { partitions: ['a', 'b'] }, async () => 'job-2')).job).toBe('job-2');
});

it('a refusal is told to all that asked meanwhile, and not remembered; neither is a forgotten job', async () => {
  const requests = new Requests();
  const { promise, reject } = Promise.withResolvers<string>();
  const both = [requests.once('key', {}, () => promise), requests.once('key', {}, never)];
  reject(new Error('no such file'));
  for (const one of both) await expect(one).rejects.toThrow('no such file');
  expect((await requests.once('key', {}, async () => 'job-2')).attached).toBe(false);
  requests.forget('key');
  expect((await requests.once('key', {}, async () => 'job-3')).job).toBe('job-3');
});
