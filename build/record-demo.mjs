// Records what a simulated engine tells while it works, for the page's demo: `node build/record-demo.mjs`. On virtual time, so that every
// run gives the same file. Needs Node 24 (it imports TypeScript).
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CuzkError } from '../main/contract/errors.ts';
import { jobRequest, simulatedEngine } from '../main/engine/simulated-engine.ts';
import { root } from './paths.mjs';

const MiB = 2 ** 20;

/** The jobs of a few minutes: long ones, short ones, one that fails, one that is cancelled. */
export async function recordDemo() {
  const badWitness = new CuzkError('WitnessUnsatisfied', 'the witness does not satisfy constraint 1445: A * B is not C', {
    file: '/data/withdraw/bad7.wtns',
    offset: 62_272,
    remedy: 'cuzk check names the signals',
  });
  const simulated = simulatedEngine({
    devices: 2,
    synthesisWorkers: 3,
    durations: { load: 1800, synthesize: 420, kernels: 640, finish: 520, verify: 35 },
    sizes: { keyBytes: 412 * MiB, synthesisBytes: 96 * MiB, deviceBytes: 128 * MiB, finishBytes: 24 * MiB },
    memoryBytes: 4096 * MiB,
    jitter: 0.45,
    seed: 7,
    onStage: (stage, name) => (stage === 'synthesize' && name.endsWith('bad7') ? badWitness : undefined),
    measureRss: () => (1180 + 260 * Math.sin(simulated.clock.now() / 4000)) * MiB,
  });
  const { engine, clock, events } = simulated;
  const submit = (name, partitions, zkey, more = {}) => engine.submit(jobRequest(`/data/${name}`, partitions, { zkey, ...more }));
  const work = async () => {
    await submit('merkle/leaf', 64, '/data/merkle/merkle-20.zkey', { kind: 'merkle' });
    await clock.sleep(2500);
    await submit('withdraw/bad', 12, '/data/withdraw/withdraw.zkey', { kind: 'withdraw', mode: 'monolithic', priority: 'high' });
    await clock.sleep(3000);
    const { job } = await submit('vote/ballot', 24, '/data/vote/vote.zkey', { kind: 'vote', priority: 'low' });
    await submit('merkle/late', 40, '/data/merkle/merkle-20.zkey', { kind: 'merkle', deadlineMs: 60_000 });
    await clock.sleep(14_000);
    engine.cancel(job);
    await submit('vote/urgent', 16, '/data/vote/vote.zkey', { kind: 'vote', priority: 'critical' });
    await engine.shutdown({ drain: true });
  };
  await clock.run(work());
  const devices = simulated.started.devices.map((device) => ({ ...device, name: 'simulated device', memoryBytes: 24_576 * MiB }));
  return { started: { ...simulated.started, devices }, events };
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { started, events } = await recordDemo();
  // One event a line: a change of the engine shows as the lines that it changes.
  const lines = events.map((event) => `    ${JSON.stringify(event)}`).join(',\n');
  writeFileSync(
    join(root, 'renderer/demo/recorded.json'),
    `{\n  "started": ${JSON.stringify(started)},\n  "events": [\n${lines}\n  ]\n}\n`,
  );
}
