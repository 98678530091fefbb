// Ctrl-C stops a computation wherever it is, soon, and leaves nothing half written.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { cuzk, temporaryFolder } from './cuzk.ts';
import { fixture, keysOf } from './fixtures.ts';

/** What a person takes for at once; the native calls themselves stop within 100 ms, and the rest is for a busy machine. */
const soonMs = 1000;

it('an interrupted proof ends with 130 soon, whatever it was doing, and writes no file', async () => {
  const circuit = await fixture('sha256', 'bls12-381');
  const { zkey } = await keysOf(circuit, 'setup');
  let interrupted = 0;
  for (const delayMs of [100, 150, 200, 300, 400, 500, 600]) {
    const [out, memory] = [temporaryFolder(), temporaryFolder()];
    let sentAt = 0;
    const started = performance.now();
    // A memory of its own: the key is checked each time, which is one more phase to stop in.
    const finished = await cuzk(['prove', zkey, circuit.witness, '-o', join(out, 'proof')], {
      env: { CUZK_HOME: memory },
      meanwhile: (pid) =>
        setTimeout(() => {
          sentAt = performance.now();
          process.kill(pid, 'SIGINT');
        }, delayMs),
    });
    // Before the program listens, the signal itself ends it; a fast machine may be done already.
    if (finished.signal === 'SIGINT' || finished.code === 0) continue;
    expect(finished.code, finished.stderr).toBe(130);
    expect(started + finished.ms - sentAt).toBeLessThan(soonMs);
    expect(readdirSync(out)).toEqual([]);
    interrupted++;
  }
  expect(interrupted).toBeGreaterThan(0);
});
