// The table as CSV: RFC 4180, one line per job, times in ISO 8601 and milliseconds.
import type { JobSummary } from '../../contract/history.ts';

const columns: [name: string, of: (job: JobSummary) => string | number][] = [
  ['id', ({ id }) => id],
  ['state', ({ state }) => state],
  ['kind', ({ kind }) => kind],
  ['circuit', ({ circuit }) => circuit],
  ['devices', ({ devices }) => devices.join(' ')],
  ['priority', ({ priority }) => priority],
  ['mode', ({ mode }) => mode],
  ['partitions', ({ partitions }) => partitions],
  ['done', ({ done }) => done],
  ['submitted', ({ submittedMs }) => new Date(submittedMs).toISOString()],
  ['duration_ms', ({ durationUs }) => (durationUs === null ? '' : durationUs / 1000)],
  ['error', ({ error }) => error?.code ?? ''],
  ['note', ({ note }) => note],
  ['tags', ({ tags }) => tags.join(' ')],
];

const line = (fields: (string | number)[]) => `${fields.map((field) => quoted(`${field}`)).join(',')}\r\n`;
const quoted = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

export const csvHeader: string = line(columns.map(([name]) => name));
export const csvLine = (job: JobSummary): string => line(columns.map(([, of]) => of(job)));
