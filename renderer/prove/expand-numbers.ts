/**
 * The paths that one with `{from..to}` in it stands for, as in a shell: `leaf{8..10}.wtns` is three, and `{08..10}` keeps the zeros. Null
 * where the numbers fall, or are more than `most`; a path without braces is itself.
 */
export function expandNumbers(path: string, most: number): string[] | null {
  const match = path.match(/^(.*?)\{(\d{1,9})\.\.(\d{1,9})\}(.*)$/s);
  if (!match) return [path];
  const [, before, first, last, after] = match as unknown as [string, string, string, string, string];
  const from = Number(first);
  const count = Number(last) - from + 1;
  if (count < 1 || count > most) return null;
  const width = first.startsWith('0') ? first.length : 0;
  const expanded: string[] = [];
  for (let i = 0; i < count; i++) {
    const rest = expandNumbers(`${before}${String(from + i).padStart(width, '0')}${after}`, most);
    if (!rest || expanded.length + rest.length > most) return null;
    expanded.push(...rest);
  }
  return expanded;
}
