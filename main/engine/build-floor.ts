// Puts together what the loops work with.
import { CuzkError } from '../contract/errors.ts';
import { Budget } from './budget.ts';
import type { Clock } from './clock.ts';
import { DeviceLine } from './device-line.ts';
import { DeviceLock } from './device-lock.ts';
import type { EngineOptions } from './engine.ts';
import type { Floor, WitnessPreparer } from './floor.ts';
import { type Attempt, admit } from './loops.ts';
import { PartitionQueue } from './partition-queue.ts';
import { Residency } from './residency.ts';
import { Scheduler } from './scheduler.ts';
import type { StatusTracker } from './status-tracker.ts';

type Reports = Pick<Floor, 'keep' | 'proved' | 'failed' | 'deviceFailed' | 'unattended'>;

/** For an engine that is only given witnesses. */
const givenWitnesses: WitnessPreparer = {
  hasWork: () => false,
  prepare: async (_, source) => {
    if ('witness' in source) return { witness: source.witness };
    throw new CuzkError('WitnessMissing', 'this engine computes no witnesses', {
      file: source.input,
      remedy: 'give it a .wtns file',
    });
  },
};

export function buildFloor(options: EngineOptions, tracker: StatusTracker, clock: Clock, reports: Reports): Floor {
  const { prover, keys, devices, memoryBytes, witnesses = givenWitnesses, sharesThreads = false, lookahead = 2 } = options;
  const budget: Budget = new Budget({
    bytes: memoryBytes,
    onHeld: (owner, bytes) => tracker.emit({ type: 'memoryHeld', owner, bytes }),
    reclaim: (bytes, keep) => residency.reclaim(bytes, keep),
  });
  const residency = new Residency(keys, budget, tracker, () => scheduler.match());
  const threads = sharesThreads ? new DeviceLock() : undefined;
  const lines = devices.map(({ device, usesHostThreads, hangMs }) => {
    const lock = (usesHostThreads ? threads : undefined) ?? new DeviceLock();
    return new DeviceLine({ device, lookahead, lock, hangMs });
  });
  const scheduler: Scheduler = new Scheduler(lines, residency, (entry, line) => floor.unattended(admit(floor, entry, line)));
  const admitted = new PartitionQueue<Attempt>();
  const floor: Floor = { clock, tracker, prover, residency, scheduler, witnesses, lines, admitted, threads, ...reports };
  return floor;
}
