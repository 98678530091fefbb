// docs/serve.md against the server: its examples run as they stand there, and it lists what there is.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { packageRoot } from '../package-root.ts';
import { FakeEngine } from './fake-engine.ts';
import { registrations } from './random-events.ts';
import { Host } from './server.ts';
import { statusOf } from './status-projection.ts';
import { ownToken } from './token.ts';

const docs = readFileSync(join(packageRoot, 'docs/serve.md'), 'utf8');
const [setting = '', ...examples] = [...docs.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block!);
const hasCurl = spawnSync('curl', ['--version']).status === 0;

let folder: string;
let host: Host;
const engine = new FakeEngine();
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cuzk-test-'));
  host = await Host.start({ engine, listen: { host: '127.0.0.1', port: 0 }, token: (await ownToken(folder)).token });
});
afterAll(async () => {
  await host.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs a block after the setting; ends it once it has said `enough`, if it would go on. */
async function run(block: string, enough?: string) {
  const script = `set -e\n${setting.replace('http://127.0.0.1:9077', host.url)}\nexec 2>&1\n${enough ? 'exec ' : ''}${block}`;
  const child = spawn('sh', ['-c', script], { env: { ...process.env, CUZK_HOME: folder } });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
    if (enough && output.includes(enough)) child.kill();
  });
  const code = await new Promise((resolve) => child.on('close', resolve));
  return { code, output };
}

test('the examples begin with where the server is', () => {
  expect(setting).toContain('URL=http://127.0.0.1:9077\n');
  expect(examples).toHaveLength(8);
});

test.skipIf(!hasCurl).each(examples.map((block) => [block.match(/\$URL\S*/)![0].replace('"', ''), block]))(
  'the example for %s works',
  async (path, block) => {
    if (path.endsWith('/events')) {
      const { output } = await run(block, '\n\n');
      expect(output).toMatch(/^event: snapshot\nid: \d+-[\da-f]+\ndata: \{"seq":\d+,"at":/);
      return;
    }
    const { code, output } = await run(block);
    expect(output).not.toBe('');
    expect({ code, output }).toEqual({ code: 0, output });
    if (!path.endsWith('/metrics'))
      for (const line of output.trim().split('\n')) expect(JSON.parse(line)).not.toHaveProperty('error');
  },
);

/** The paths of all values, as the docs write them: `pipelines[].job_id`. Tables by names of the person's are one value. */
function pathsOf(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) return value.length === 0 ? [path] : value.flatMap((entry) => pathsOf(entry, `${path}[]`));
  if (typeof value !== 'object' || value === null || /_by_kind$/.test(path)) return [path];
  return Object.entries(value).flatMap(([name, entry]) => pathsOf(entry, path ? `${path}.${name}` : name));
}

test('every field of GET /status is explained, and no other', () => {
  const busy = new FakeEngine();
  busy.tracker.emit({ type: 'workersRegistered', workers: registrations, wallMs: 0 });
  busy.tracker.registerJob({ job: 'A', kind: 'k', circuit: 'c', partitions: 1, priority: 'normal', mode: 'pipelined' });
  busy.tracker.emit({ type: 'residencyChanged', circuit: 'c', device: 'cpu', residency: 'hot', bytes: 1 });
  const { state: _, jobCounters: __, ...rest } = statusOf(busy.snapshot(), busy.now);
  const section = docs.slice(docs.indexOf('### `GET /status`'), docs.indexOf('### `GET /events`'));
  const explained = [...section.matchAll(/^\| `([^`]+)` \|/gm)].map(([, field]) => field!);
  expect(explained.sort()).toEqual([...new Set(pathsOf(rest)), 'state', 'jobCounters'].sort());
});

test('every metric is explained, and no other', async () => {
  const text = await (await fetch(`${host.url}/metrics`)).text();
  const served = [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name]) => name!);
  const section = docs.slice(docs.indexOf('### `GET /metrics`'), docs.indexOf('## Commands'));
  const explained = [...section.matchAll(/^\| (`.*?`) \|/gm)].flatMap(([, cell]) =>
    [...cell!.matchAll(/`(cuzk_\w+)/g)].map(([, name]) => name!),
  );
  expect(explained.sort()).toEqual(served.sort());
});
