import { Writable } from 'node:stream';
import { expect, test, vi } from 'vitest';
import { CuzkError } from '../contract/errors.ts';
import { Output } from './output.ts';

function streams(isTTY: boolean) {
  const written = { out: '', err: '' };
  const stream = (name: 'out' | 'err') =>
    new Writable({
      write(chunk, _, done) {
        written[name] += chunk;
        done();
      },
    });
  return { written, stdout: stream('out'), stderr: Object.assign(stream('err'), { isTTY, columns: 60 }) };
}

const refusal = new CuzkError('ZkeyTruncated', 'the file is cut off', { file: 'a.zkey', offset: 12, remedy: 'copy it again' });

test('a terminal gets a progress line that is taken away before the next result', () => {
  const to = streams(true);
  const output = new Output(to, { json: false, debug: false });
  output.progress('ntt', 'transforms', 0.5);
  expect(to.written.err).toContain('50%  transforms');
  output.result({ event: 'done' }, 'proved');
  expect(to.written.err.endsWith('\r\x1b[2K')).toBe(true);
  expect(to.written.out).toBe('proved\n');
});

test('a pipe gets plain lines, and of a long computation one every ten seconds', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const to = streams(false);
  const output = new Output(to, { json: false, debug: false });
  for (let i = 1; i <= 250; i++) {
    vi.advanceTimersByTime(100);
    output.progress('ntt', 'transforms', i / 1000);
  }
  vi.useRealTimers();
  expect(to.written.err).toBe(' 10%  transforms  1 m 30 s left\n 20%  transforms  1 m 20 s left\n');
});

test('--json gives one object per line on standard output, errors too', () => {
  const to = streams(false);
  const output = new Output(to, { json: true, debug: false });
  output.progress('ntt', 'transforms', 0.5, { partition: 3 });
  output.result({ event: 'done', proofs: 1 }, 'proved');
  output.fail(refusal);
  expect(
    to.written.out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual([
    { event: 'progress', phase: 'ntt', percent: 50, partition: 3 },
    { event: 'done', proofs: 1 },
    { event: 'error', code: 'ZkeyTruncated', message: 'the file is cut off', file: 'a.zkey', offset: 12, remedy: 'copy it again' },
  ]);
});

test('--json says each percent of a phase once', () => {
  const to = streams(false);
  const output = new Output(to, { json: true, debug: false });
  for (const fraction of [0.101, 0.105, 0.11, 0.111]) output.progress('ntt', 'transforms', fraction);
  output.progress('msm_a', 'multiplication A', 0.111);
  const steps = to.written.out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(steps.map(({ phase, percent }) => [phase, percent])).toEqual([
    ['ntt', 10],
    ['ntt', 11],
    ['msm_a', 11],
  ]);
});

test('an error says what, where and what to do; its stack only with --debug', () => {
  const to = streams(false);
  new Output(to, { json: false, debug: false }).fail(refusal);
  expect(to.written.err).toBe('error: the file is cut off\n  file: a.zkey, at byte 12\n  try: copy it again\n');
  const debug = streams(false);
  new Output(debug, { json: false, debug: true }).fail(refusal);
  expect(debug.written.err).toContain('code: ZkeyTruncated');
  expect(debug.written.err).toContain('output.test.ts');
});

test('names that steer the terminal are shown as text, and reach programs as they are', () => {
  const name = 'a\nOK\x1b[2J';
  const to = streams(true);
  const output = new Output(to, { json: false, debug: false });
  output.progress('ntt', name, 0.5);
  output.note({ event: 'note' }, name);
  output.fail(new CuzkError('FileNotFound', `no ${name}`, { file: name, remedy: `make ${name}` }));
  expect(to.written.err.replaceAll('\r\x1b[2K', '').split('\n')).toEqual([
    expect.stringMatching(/50% {2}a\\nOK\\x1b\[2Ja\\nOK\\x1b\[2J$/),
    'error: no a\\nOK\\x1b[2J',
    '  file: a\\nOK\\x1b[2J',
    '  try: make a\\nOK\\x1b[2J',
    '',
  ]);
  output.result({ event: 'done' }, 'one\nt\x1bwo');
  expect(to.written.out).toBe('one\nt\\x1bwo\n');
  const json = streams(false);
  new Output(json, { json: true, debug: false }).result({ event: 'done', name }, name);
  expect(JSON.parse(json.written.out)).toEqual({ event: 'done', name });
});
