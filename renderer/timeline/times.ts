// Times as people read them.

/** A duration in milliseconds: `0.42 ms`, `587 ms`, `5.2 s`, `2 m 04 s`, `3 h 07 m`, `2 d 05 h`. */
export function formatDuration(ms: number): string {
  if (ms < 0) return `−${formatDuration(-ms)}`;
  if (ms === 0) return '0 ms';
  if (ms < 9.995) return `${ms < 0.0095 ? ms.toPrecision(1) : ms.toFixed(2)} ms`;
  if (ms < 99.95) return `${ms.toFixed(1)} ms`;
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(ms < 9_995 ? 2 : 1)} s`;
  const s = Math.round(ms / 1000);
  if (s < 3600) return `${Math.floor(s / 60)} m ${two(s % 60)} s`;
  const m = Math.round(s / 60);
  if (m < 1440) return `${Math.floor(m / 60)} h ${two(m % 60)} m`;
  const h = Math.round(m / 60);
  return `${Math.floor(h / 24)} d ${two(h % 24)} h`;
}

/** A time on the axis, in milliseconds since its zero, as exact as `stepMs` between two ticks asks for: `1 m 05.250 s` at 50 ms. */
export function formatTime(ms: number, stepMs: number): string {
  if (ms < 0) return `−${formatTime(-ms, stepMs)}`;
  const digits = Math.min(6, Math.max(0, Math.ceil(-Math.log10(stepMs / 1000) - 1e-9)));
  if (ms < 1000 && stepMs < 1000) return `${ms.toFixed(Math.max(0, digits - 3))} ms`;
  const unit = 10 ** digits;
  const whole = Math.round((ms / 1000) * unit);
  const minutes = Math.floor(whole / (60 * unit));
  const seconds = ((whole - minutes * 60 * unit) / unit).toFixed(digits);
  if (minutes === 0) return `${seconds} s`;
  const padded = seconds.padStart(digits > 0 ? 3 + digits : 2, '0');
  if (minutes < 60) return stepMs >= 60_000 ? `${minutes} m` : `${minutes} m ${padded} s`;
  const hours = `${Math.floor(minutes / 60)} h`;
  if (stepMs >= 3_600_000) return hours;
  return stepMs >= 60_000 ? `${hours} ${two(minutes % 60)} m` : `${hours} ${two(minutes % 60)} m ${padded} s`;
}

/** A share from 0 to 1: `0 %`, `0.4 %`, `37 %`, `100 %`; only what is nothing, or all, is said to be so. */
export function formatShare(share: number): string {
  const percent = share * 100;
  if (percent <= 0) return '0 %';
  if (percent >= 100) return '100 %';
  if (percent < 0.1) return '< 0.1 %';
  if (percent > 99.9) return '> 99.9 %';
  return percent < 10 || percent > 99 ? `${percent.toFixed(1)} %` : `${Math.round(percent)} %`;
}

const two = (n: number) => String(n).padStart(2, '0');
