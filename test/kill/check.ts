// `npm run check:kill -- --times N`: kills a proving process at random moments (SIGKILL), and looks at what it left. The database must pass
// integrity_check, have every job that was accepted and a proof that verifies for every partition that was reported done; resume must complete
// every job. `--seed` repeats the moments, as far as a machine does.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { WitnessCalculator } from '../../main/circuits/witness-calculator.ts';
import { lockForWriting, openForWriting } from '../../main/history/database.ts';
import { proofsOf } from '../../main/history/export/proofs.ts';
import { historyFile } from '../../main/history/location.ts';
import { randomFrom } from '../../main/history/made-up.ts';
import { recover } from '../../main/history/recovery.ts';
import { packageRoot } from '../../main/package-root.ts';
import { NativeProver } from '../../main/prover/native/native-prover.ts';

const { values } = parseArgs({ options: { times: { type: 'string', default: '20' }, seed: { type: 'string', default: '1' } } });
const times = Number(values.times);
const random = randomFrom(Number(values.seed));
const sample = join(packageRoot, 'samples', 'merkle');
const zkey = join(sample, 'circuit.zkey');
const partitions = 4;

interface Told {
  accepted: string[];
  done: { job: string; partition: number }[];
  resumed: { resumed: string; as: string; end: string; restored: number }[];
  code: number | null;
  stderr: string;
}

/** When a process is killed: so long after it accepted its first job, or as soon as it has reported so many partitions done. */
type Moment = { ms: number } | { reports: number };

/** Runs proving.ts, and kills it at the moment, if one is said. */
async function proving(args: string[], env: NodeJS.ProcessEnv, moment?: Moment): Promise<Told> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'proving.ts'), ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const told: Told = { accepted: [], done: [], resumed: [], code: null, stderr: '' };
  child.stderr.setEncoding('utf8').on('data', (text) => {
    told.stderr += text;
  });
  createInterface({ input: child.stdout }).on('line', (text) => {
    const line = JSON.parse(text);
    if (line.accepted) {
      told.accepted.push(line.accepted);
      if (told.accepted.length === 1 && moment && 'ms' in moment) setTimeout(() => child.kill('SIGKILL'), moment.ms);
    } else if (line.done) {
      told.done.push({ job: line.done, partition: line.partition });
      if (moment && 'reports' in moment && told.done.length === moment.reports) child.kill('SIGKILL');
    } else told.resumed.push(line);
  });
  told.code = await new Promise((resolve) => child.on('close', resolve));
  return told;
}

const folder = mkdtempSync(join(tmpdir(), 'cuzk-kill-'));
const env = { ...process.env, CUZK_HOME: folder };
const file = historyFile(env);
const prover = new NativeProver();
const vkey = await prover.exportVkey(zkey);
const problems: string[] = [];
let [verified, resumed, restoredProofs] = [0, 0, 0];

try {
  const calculator = new WitnessCalculator(join(sample, 'circuit.wasm'));
  const witnesses: string[] = [];
  for (let i = 0; i < partitions; i++) {
    const to = join(folder, `${i}.wtns`);
    writeFileSync(to, await calculator.compute(join(sample, 'inputs', `${i}.json`)));
    witnesses.push(to);
  }
  await calculator.close();

  for (let time = 1; time <= times; time++) {
    const refuse = (problem: string) => problems.push(`kill ${time}: ${problem}`);
    // Anywhere in the time that a few jobs take; and, every other time, right after a report, which is when a proof could be missing.
    const moment = time % 2 ? { ms: Math.floor(random() * 2000) } : { reports: 1 + Math.floor(random() * 3 * partitions) };
    const told = await proving(['--zkey', zkey, ...witnesses], env, moment);
    if (told.code !== null) refuse(`the process ended by itself with ${told.code}: ${told.stderr}`);
    const lock = lockForWriting(file);
    if (!lock) throw new Error('the dead process still holds the lock');
    const db = openForWriting(file);
    const checked = db.pragma('integrity_check', { simple: true });
    if (checked !== 'ok') refuse(`integrity_check: ${checked}`);
    const left = recover(db);
    const numberOf = db.prepare('SELECT job FROM jobs WHERE id = ?').pluck();
    for (const id of told.accepted) if (numberOf.get(id) === undefined) refuse(`the job ${id} was accepted, and is not there`);
    for (const job of new Set(told.done.map((one) => one.job))) {
      const proofs = new Map(proofsOf(db, numberOf.get(job) as number).map((one) => [one.partition, one]));
      for (const { partition } of told.done.filter((one) => one.job === job)) {
        const one = proofs.get(partition);
        if (!one) refuse(`partition ${partition} of ${job} was reported done, and has no proof`);
        else if (await prover.verify(vkey, one.publicSignals, one.proof)) verified++;
        else refuse(`the proof of partition ${partition} of ${job} does not verify`);
      }
    }
    db.close();
    lock.release();
    const again = await proving(['--resume', ...left], env);
    for (const { resumed: id, end, restored } of again.resumed) {
      if (end !== 'succeeded') refuse(`resuming ${id} ended ${end}`);
      resumed++;
      restoredProofs += restored;
    }
    if (again.code !== 0 || again.resumed.length !== left.length)
      refuse(`resumed ${again.resumed.length} of ${left.length} jobs (exit code ${again.code}): ${again.stderr}`);
    process.stderr.write(`\r${time}/${times} kills, ${verified} proofs verified, ${problems.length} problems`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.stderr.write('\n');
if (times >= 20 && (verified === 0 || restoredProofs === 0)) problems.push('no kill came in the middle of a job: it shows nothing');
for (const problem of problems) process.stdout.write(`${problem}\n`);
process.stdout.write(
  `${times} kills: ${verified} proofs reported done are there and verify; ${resumed} jobs resumed with ${restoredProofs} proofs taken over; ${problems.length} problems\n`,
);
process.exit(problems.length > 0 ? 1 : 0);
