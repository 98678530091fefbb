// What engines of this kind get wrong, as seen in the field: each has at least one test that is named by its number.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packageRoot } from '../main/package-root.ts';

const lessons = [
  'a late finalizer clears the state of a worker that has moved on',
  'an end of the first try clears the second try of the same pair on the same worker',
  'worker state is kept twice, and the two disagree',
  'a worker returns early, and is shown as proving for ever',
  'a start that throws leaves worker and partition stuck, and the rest of the job goes on',
  'an end with an error shows the partition as done',
  'failed jobs never become terminal, and counters disagree',
  'one way through and all work before dispatch cannot be seen',
  'proving includes waiting for the device, and several finalizers of one worker cannot be shown',
  'two entries of one queue with one key overwrite each other',
  'a resubmitted id resets the live job',
  'an urgent job waits behind the partitions of a long one',
  'a wait for memory is missed, starves, or lasts for ever',
  'a key is evicted between start and finish',
  'cancel, timeout and evict are accepted, and ignored',
  'not every proof is verified',
  'a shutdown loses proofs, or hangs',
  'the state grows until somebody polls',
  'rows jump between polls, and nothing says how old the numbers are',
  'nothing runs from end to end in continuous integration',
];

function testNames(): string {
  const read = (folder: string) =>
    readdirSync(join(packageRoot, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.test.ts') && !file.endsWith('lessons.test.ts'))
      .flatMap(
        (file) => readFileSync(join(packageRoot, folder, file), 'utf8').match(/\brows? \d+(?:(?:, | and )\d+)*(?=[:,])/g) ?? [],
      );
  return ['main', 'test'].flatMap(read).join(' ');
}

it.each(lessons.map((lesson, i) => [i + 1, lesson] as const))('lesson %i has a test of its own: %s', (row) => {
  expect(testNames()).toMatch(new RegExp(`\\b${row}\\b`));
});
