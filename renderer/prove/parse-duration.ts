const unitMs: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Milliseconds of `90 s`, `10 m`, `1.5 h`, `2 h 30 m`, `1 d`; null for anything else, and for no time at all. */
export function parseDuration(text: string): number | null {
  const whole = text.trim().toLowerCase();
  if (!/^(\d+(\.\d+)?\s*[smhd]\s*)+$/.test(whole)) return null;
  let ms = 0;
  for (const [, value, unit] of whole.matchAll(/(\d+(?:\.\d+)?)\s*([smhd])/g)) ms += Number(value) * unitMs[unit!]!;
  return ms > 0 ? ms : null;
}
