// What lanes are called on the screen.
import type { LaneAbout } from './lanes.ts';

export function laneName({ kind, worker, device }: LaneAbout): string {
  switch (kind) {
    case 'synthesis':
      return worker === undefined ? 'Synthesis, earlier' : `Synthesis ${worker}`;
    case 'device':
      return `${device} kernels`;
    case 'finalizer':
      return `${device} finalizers`;
    case 'pipelined':
      return `Worker ${worker}`;
    case 'monolithic':
      return `Worker ${worker}, whole`;
  }
}
