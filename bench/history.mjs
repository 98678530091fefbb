// `npm run bench:history`: makes up a history and measures what the screens and the command line ask of it. `--jobs N` (1,000,000 by default),
// `--file FILE` keeps the database, and uses one that is there. Each query is asked five times, and the slowest of all medians counts.
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { sortColumns } from '../main/contract/history.ts';
import { openForReading, openForWriting } from '../main/history/database.ts';
import { makeUp } from '../main/history/made-up.ts';
import { pageOf } from '../main/history/pages.ts';
import { plan } from '../main/history/prune.ts';
import { totalsOf } from '../main/history/totals.ts';

const { values } = parseArgs({ options: { jobs: { type: 'string', default: '1000000' }, file: { type: 'string' } } });
const jobs = Number(values.jobs);
const file = values.file ?? join(mkdtempSync(join(tmpdir(), 'cuzk-bench-')), 'history.db');
const dayMs = 86_400_000;
const begin = Date.UTC(2026, 0, 1);
const say = (text) => process.stdout.write(`${text}\n`);
const thousands = (number) => Math.round(number).toLocaleString('en-US');

if (!existsSync(file)) {
  const db = openForWriting(file);
  db.pragma('cache_size = -1000000');
  const started = performance.now();
  let said = 0;
  makeUp(db, {
    jobs,
    onProgress: (done) => {
      if (done - said < jobs / 10 && done < jobs) return;
      said = done;
      process.stderr.write(`  ${thousands(done)} jobs, ${thousands(done / ((performance.now() - started) / 1000))} a second\n`);
    },
  });
  const seconds = (performance.now() - started) / 1000;
  db.pragma('wal_checkpoint(TRUNCATE)');
  db.close();
  say(
    `written: ${thousands(jobs)} jobs of 16 partitions in ${Math.round(seconds)} s: ${thousands(jobs / seconds)} jobs, ${thousands((jobs * 32) / seconds)} attempts and proofs a second; ${(statSync(file).size / 2 ** 30).toFixed(1)} GiB`,
  );
}

const db = openForReading(file);
let failed = 0;
/** Each of the requests, asked `times`: its median; the slowest of these against the limit. */
function measure(title, limitMs, requests, ask, times = 5) {
  const medians = requests.map((request) => {
    const all = Array.from({ length: times }, () => {
      const started = performance.now();
      ask(request);
      return performance.now() - started;
    });
    return { request, ms: all.sort((a, b) => a - b)[times >> 1] };
  });
  const { request, ms: slowest } = medians.reduce((a, b) => (a.ms >= b.ms ? a : b));
  const mean = medians.reduce((sum, { ms }) => sum + ms, 0) / medians.length;
  const isFast = slowest < limitMs;
  if (!isFast) failed++;
  const figures = `${requests.length} queries, mean ${mean.toFixed(1)} ms, slowest ${slowest.toFixed(1)} ms of ${limitMs} ms`;
  say(`${isFast ? 'ok  ' : 'SLOW'} ${title}: ${figures}  ${isFast ? '' : JSON.stringify(request)}`);
}

const page = (request) => pageOf(db, request);
const filters = [
  {},
  { states: ['failed'] },
  { states: ['interrupted'], device: 'cuda:1' },
  { kinds: ['porep-c2'], states: ['succeeded'] },
  { circuits: ['/keys/snap.zkey'], priorities: ['low'], states: ['cancelled'] },
  { device: 'cuda:0' },
  { sinceMs: begin + 200 * dayMs, untilMs: begin + 201 * dayMs },
  { sinceMs: begin + 100 * dayMs, untilMs: begin + 300 * dayMs },
  { untilMs: begin + 5 * dayMs },
  { minUs: 600e6 },
  { minUs: 100e6, maxUs: 101e6, states: ['failed'] },
  { sinceMs: begin + 300 * dayMs, minUs: 599e6 },
  { tag: 'release' },
  { pinned: true },
];
measure('the first page', 50, [{}], page, 20);
const sorted = filters.flatMap((filter) =>
  sortColumns.flatMap((sort) => [true, false].map((ascending) => ({ ...filter, sort, ascending }))),
);
measure('first pages, filtered and sorted by every column', 50, sorted, page);
const later = sorted.flatMap((request) => {
  const { next } = page(request);
  return next ? [{ ...request, after: next }] : [];
});
measure('the pages after them', 50, later, page);
measure(
  'pages in the middle of the year',
  50,
  filters.map((filter) => ({ ...filter, after: { value: begin + 180 * dayMs, job: Math.floor(jobs / 2) } })),
  page,
);
measure(
  'text searches',
  200,
  ['merkle', 'porep', 'new key', 'release disk', 'ünï', 'ke', 'a', '0a1', 'nothing like that'].flatMap((text) => [
    { text },
    { text, sort: 'duration' },
    { text, states: ['failed'] },
  ]),
  page,
);
const year = { sinceMs: begin, untilMs: begin + 365 * dayMs };
measure(
  'the totals of a year',
  300,
  [[], ['kind'], ['circuit'], ['device'], ['day'], ['day', 'kind', 'device']].map((by) => ({ ...year, by })),
  (request) => totalsOf(db, request),
);
measure('what retention would delete', 3000, [{ beforeMs: begin + 90 * dayMs }, { mostBytes: 2 ** 30 }], (request) =>
  plan(db, request),
);
db.close();
if (values.file === undefined) rmSync(dirname(file), { recursive: true });
process.exitCode = failed > 0 ? 1 : 0;
