// Numbers as people read them, on the command line and on the page.

const byteUnits = ['KiB', 'MiB', 'GiB', 'TiB'];

/** `812 bytes`, `1.3 MiB`, `24 GiB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  let value = bytes / 1024;
  let unit = 0;
  while (value >= 999.5 && unit < byteUnits.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${value < 9.95 ? value.toFixed(1) : Math.round(value)} ${byteUnits[unit]}`;
}

/** `587 ms`, `5.2 s`, `2 m 04 s`, `1 h 07 m`. */
export function formatDuration(ms: number): string {
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  const two = (value: number) => String(value).padStart(2, '0');
  if (seconds < 3600) return `${Math.floor(seconds / 60)} m ${two(seconds % 60)} s`;
  return `${Math.floor(seconds / 3600)} h ${two(Math.floor((seconds % 3600) / 60))} m`;
}

/** `1,048,576` */
export const formatCount = (value: number): string => value.toLocaleString('en-US');

/** `1 public signal`, `3 public signals` */
export const plural = (value: number, word: string): string => `${formatCount(value)} ${word}${value === 1 ? '' : 's'}`;
