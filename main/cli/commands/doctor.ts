// cuzk doctor: what this machine has for proving, and what it lacks.
import { findings as findAll } from '../../host/findings.ts';
import type { Context } from '../context.ts';

export async function doctor({ output }: Context): Promise<number> {
  const findings = await findAll();
  const width = Math.max(...findings.map(({ name }) => name.length));
  const lines = findings.map(({ name, ok, found, remedy }) => {
    return `${ok ? 'ok     ' : 'lacking'}  ${name.padEnd(width)}  ${found}${remedy ? `\n${' '.repeat(width + 11)}try: ${remedy}` : ''}`;
  });
  const ok = findings.every((finding) => finding.ok);
  output.result({ event: 'doctor', ok, findings }, lines.join('\n'));
  return ok ? 0 : 1;
}
