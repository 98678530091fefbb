// Who holds the budget: keys one by one, the many partitions of a job as one line.
import type { EngineState } from '../../main/contract/state.ts';

export interface MemoryGroup {
  /** As the engine calls an owner; of partitions, their job. */
  name: string;
  kind: 'key' | 'partitions' | 'other';
  bytes: number;
  /** How many owners it stands for. */
  owners: number;
}

export interface MemoryUse {
  groups: MemoryGroup[];
  keyBytes: number;
  workBytes: number;
  usedBytes: number;
  freeBytes: number;
}

/** The largest first; of equal ones by name, so that lines do not jump. */
export function memoryUse({ memory, budgetBytes }: Pick<EngineState, 'memory' | 'budgetBytes'>): MemoryUse {
  const groups = new Map<string, MemoryGroup>();
  let keyBytes = 0;
  let workBytes = 0;
  for (const owner in memory) {
    const bytes = memory[owner]!;
    const { name, kind } = groupOf(owner);
    if (kind === 'key') keyBytes += bytes;
    else workBytes += bytes;
    const group = groups.get(name);
    if (group) {
      group.bytes += bytes;
      group.owners++;
    } else groups.set(name, { name, kind, bytes, owners: 1 });
  }
  const usedBytes = keyBytes + workBytes;
  const sorted = [...groups.values()].sort((a, b) => b.bytes - a.bytes || (a.name < b.name ? -1 : 1));
  return { groups: sorted, keyBytes, workBytes, usedBytes, freeBytes: Math.max(0, budgetBytes - usedBytes) };
}

/** An owner as a line shows it: a key by the name of its file, not the folder that it is in. */
export const shortOwner = (name: string): string => name.replace(/^(key ).*[/\\](?=[^/\\]+ on )/, '$1');

/** Owners are called `key FILE on DEVICE`, and `JOB/PARTITION` with whatever follows that. */
function groupOf(owner: string): { name: string; kind: MemoryGroup['kind'] } {
  if (owner.startsWith('key ')) return { name: owner, kind: 'key' };
  const job = owner.match(/^(.+)\/\d+\b/)?.[1];
  return job === undefined ? { name: owner, kind: 'other' } : { name: job, kind: 'partitions' };
}
