// cuzk devices: what can prove on this machine.
import type { Context } from '../context.ts';
import { formatBytes, plural } from '../format.ts';

export async function devices({ output, prover }: Context): Promise<number> {
  const all = (await prover()).devices();
  const lines = all.map(({ id, name, isa, threads, memoryBytes }) => {
    return `${id}  ${name}: ${plural(threads, 'thread')}, ${formatBytes(memoryBytes)}, ${isa} arithmetic`;
  });
  output.result({ event: 'devices', devices: all }, lines.join('\n'));
  return 0;
}
