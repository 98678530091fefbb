// What the private scheme hands out, and what it does not.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { Page } from '../host/page.ts';
import { answerTo } from './page-answers.ts';

const folder = mkdtempSync(join(tmpdir(), 'cuzk-scheme-'));
mkdirSync(join(folder, 'page', 'assets'), { recursive: true });
writeFileSync(join(folder, 'page', 'index.html'), '<!doctype html>the app');
writeFileSync(join(folder, 'page', 'assets', 'a-1.js'), 'run()');
writeFileSync(join(folder, 'page', 'notes.map'), 'not for the page');
writeFileSync(join(folder, 'secret.js'), 'secret');
const page = new Page(join(folder, 'page'));
afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  ['app://cuzk/', 'text/html; charset=utf-8', 'the app'],
  ['app://cuzk/#/timeline', 'text/html; charset=utf-8', 'the app'],
  ['app://cuzk/assets/a-1.js', 'text/javascript; charset=utf-8', 'run()'],
])('%s is a file of the page, never guessed at, under a policy that lets it load nothing else', (url, type, content) => {
  const { status, body, headers } = answerTo(page, 'GET', url);
  expect(status).toBe(200);
  expect(body).toContain(content);
  expect(headers).toMatchObject({
    'content-type': type,
    'x-content-type-options': 'nosniff',
    'content-security-policy': expect.stringMatching(/^default-src 'none'; script-src 'self'; .*frame-ancestors 'none'$/),
  });
});

test.each([
  ['GET', 'app://cuzk/secret.js'],
  ['GET', 'app://cuzk/../secret.js'],
  ['GET', 'app://cuzk/assets/../../secret.js'],
  ['GET', 'app://cuzk/%2e%2e/secret.js'],
  ['GET', 'app://cuzk/..%2fsecret.js'],
  ['GET', 'app://cuzk/..%5csecret.js'],
  ['GET', 'app://cuzk//etc/passwd'],
  ['GET', 'app://cuzk/notes.map'],
  ['GET', 'app://cuzk/assets'],
  ['GET', 'app://cuzk/index.html'],
  ['GET', 'app://cuzk/?x'],
  ['GET', 'app://other/'],
  ['GET', 'app://cuzk:1/'],
  ['GET', 'nonsense'],
  ['POST', 'app://cuzk/'],
  ['HEAD', 'app://cuzk/'],
])('%s %s is not found', (method, url) => {
  const { status, body, headers } = answerTo(page, method, url);
  expect(status).toBe(404);
  expect(body).toContain('HttpNotFound');
  expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'content-type': 'application/json; charset=utf-8' });
});
