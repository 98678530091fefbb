import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ServerSentEvents } from './server-sent-events.ts';

const stream =
  'event: snapshot\nid: 3-ab\ndata: {"a":1}\n\n: still here\n\ndata: one\n\nid: 5-ab\r\ndata:two\r\ndata: lines\r\n\r\n';
const told = [
  { name: 'snapshot', data: '{"a":1}' },
  { name: 'message', data: 'one' },
  { name: 'message', data: 'two\nlines' },
];

it('reads names, data of several lines and the last id', () => {
  const parser = new ServerSentEvents();
  expect(parser.push(stream)).toEqual(told);
  expect(parser.lastId).toBe('5-ab');
});

it('reads the same wherever the stream is cut', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(stream.length), { maxLength: 8 }), (cuts) => {
      const parser = new ServerSentEvents();
      const at = [0, ...cuts.sort((a, b) => a - b), stream.length];
      expect(at.slice(1).flatMap((end, i) => parser.push(stream.slice(at[i], end)))).toEqual(told);
    }),
  );
});

it('keeps what is not complete', () => {
  const parser = new ServerSentEvents();
  expect(parser.push('data: half')).toEqual([]);
  expect(parser.push('\n')).toEqual([]);
  expect(parser.push('\n')).toEqual([{ name: 'message', data: 'half' }]);
});
