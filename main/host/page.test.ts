// The app's page over a real socket: its own files and nothing else of the machine.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { FakeEngine } from './fake-engine.ts';
import { Page } from './page.ts';
import { Host } from './server.ts';

const folder = mkdtempSync(join(tmpdir(), 'cuzk-page-'));
let host: Host;

beforeEach(async () => {
  mkdirSync(join(folder, 'app', 'assets'), { recursive: true });
  writeFileSync(join(folder, 'app', 'index.html'), '<!doctype html>the app');
  writeFileSync(join(folder, 'app', 'assets', 'a-1.js'), 'run()');
  writeFileSync(join(folder, 'app', 'notes.map'), 'not for the page');
  writeFileSync(join(folder, 'secret.js'), 'secret');
  const engine = new FakeEngine();
  const page = new Page(join(folder, 'app'));
  host = await Host.start({ engine, listen: { host: '127.0.0.1', port: 0 }, token: 'a-token-of-some-length', page });
});
afterEach(async () => {
  await host.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The path goes out as it is written, which fetch would tidy up. */
function get(path: string, { method = 'GET', headers = {} }: { method?: string; headers?: Record<string, string> } = {}) {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string; header(name: string): unknown }>();
  request(host.url, { path, method, headers, agent: false }, (response) => {
    let text = '';
    response.setEncoding('utf8').on('data', (piece) => {
      text += piece;
    });
    response.on('end', () => resolve({ status: response.statusCode!, text, header: (name) => response.headers[name] }));
  })
    .on('error', reject)
    .end();
  return promise;
}

it('serves the page and its files without a token, and lets it load nothing from elsewhere', async () => {
  const page = await get('/app/?token=x#/now');
  expect([page.status, page.text, page.header('content-type')]).toEqual([
    200,
    '<!doctype html>the app',
    'text/html; charset=utf-8',
  ]);
  expect(page.header('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self';.*frame-ancestors 'none'$/);
  expect(page.header('x-content-type-options')).toBe('nosniff');
  const script = await get('/app/assets/a-1.js');
  expect([script.status, script.text, script.header('content-type')]).toEqual([200, 'run()', 'text/javascript; charset=utf-8']);
});

it('leads from the name without its slash to the page, with what follows it', async () => {
  const moved = await get('/app?token=x');
  expect([moved.status, moved.header('location')]).toEqual([308, '/app/?token=x']);
});

it.each([
  '/app/../secret.js',
  '/app/%2e%2e/secret.js',
  '/app/..%2fsecret.js',
  '/app//etc/passwd',
  '/app/notes.map',
  '/app/assets',
  '/app/index.html/',
  '/apple',
])('has nothing at %s', async (path) => expect((await get(path)).status).toBe(404));

it('takes nothing but GET and HEAD, and answers no other site and under no other name', async () => {
  expect((await get('/app/', { method: 'POST' })).status).toBe(405);
  expect(await get('/app/', { method: 'HEAD' })).toMatchObject({ status: 200, text: '' });
  expect((await get('/app/', { headers: { host: 'evil.example' } })).status).toBe(403);
  expect((await get('/app/', { headers: { origin: 'http://evil.example' } })).status).toBe(403);
});
