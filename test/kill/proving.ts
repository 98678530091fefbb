// A process that proves, to be killed: jobs of several partitions with the real engine, prover and history, until it is told to stop or dies.
// Prints a line of JSON for each job that was accepted and each partition that was reported done.
import { parseArgs } from 'node:util';
import { CheckedKeys } from '../../main/circuits/checked-keys.ts';
import { FileKeys } from '../../main/circuits/key-loader.ts';
import { Engine } from '../../main/engine/engine.ts';
import { openForReading } from '../../main/history/database.ts';
import { historyFile } from '../../main/history/location.ts';
import { Recorder } from '../../main/history/recorder.ts';
import { resumable } from '../../main/history/resume.ts';
import { NativeProver } from '../../main/prover/native/native-prover.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { zkey: { type: 'string' }, jobs: { type: 'string', default: '1000' }, resume: { type: 'boolean', default: false } },
});
const say = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`);

const recorder = await Recorder.open({ file: historyFile(), app: 'cuzk kill check' });
const prover = new NativeProver();
const devices = prover
  .devices()
  .map(({ id, name, memoryBytes, usesHostThreads = true }) => ({ device: id, name, memoryBytes, usesHostThreads }));
const engine = new Engine({
  prover,
  keys: new FileKeys(prover, { memory: new CheckedKeys() }),
  devices,
  memoryBytes: 2 ** 31,
  journal: recorder,
  sharesThreads: true,
});
recorder.attach(engine);
engine.start();
engine.subscribe((event) => {
  if (event.type === 'partitionDone' || event.type === 'partitionRestored') say({ done: event.job, partition: event.partition });
});

async function run(): Promise<void> {
  if (values.resume) {
    const db = openForReading(historyFile());
    const jobs = positionals.map((id) => ({ id, ...resumable(db, id) }));
    db.close();
    for (const { id, request, restored } of jobs) {
      const { job } = await engine.submit(request, { retryOf: id, restored });
      const { end, error } = await engine.await(job);
      say({ resumed: id, as: job, end, error, restored: restored.size });
    }
    return;
  }
  const partitions = positionals.map((witness) => ({ witness }));
  for (let i = 0; i < Number(values.jobs); i++) {
    const { job } = await engine.submit({ circuit: { zkey: values.zkey! }, partitions });
    say({ accepted: job });
    await engine.await(job);
  }
}

await run();
await engine.shutdown();
await recorder.close();
process.exit(0);
