import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { reduce } from '../main/contract/reduce.ts';
import { recordDemo } from './record-demo.mjs';

const file = new URL('../renderer/demo/recorded.json', import.meta.url);

it('the recording of the demo is what the engine tells now: else run build/record-demo.mjs', async () => {
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(JSON.parse(JSON.stringify(await recordDemo())));
});

it('the recording applies without a hole', () => {
  const { started, events } = JSON.parse(readFileSync(file, 'utf8'));
  const last = events.reduce(reduce, started);
  expect(last).toMatchObject({ ignored: 0, staleEnds: 0, seq: started.seq + events.length });
});
