// Which addresses are ours.
import { expect, test } from 'vitest';
import { isGranted, isOurs, isPage, mayLoad } from './origin.ts';

test.each([
  ['app://cuzk/', true, true],
  ['app://cuzk/#/timeline', true, true],
  ['app://cuzk/assets/index.js', true, false],
  ['app://cuzk/?token=x', true, false],
  ['app://cuzk.evil/', false, false],
  ['app://evil/', false, false],
  ['app://evil@cuzk/', false, false],
  ['app://cuzk:80/', false, false],
  ['app:cuzk', false, false],
  ['https://cuzk/', false, false],
  ['file:///etc/passwd', false, false],
  ['http://127.0.0.1/', false, false],
  ['about:blank', false, false],
  ['', false, false],
])('%j is ours: %s, the page: %s', (url, ours, page) => {
  expect(isOurs(url)).toBe(ours);
  expect(isPage(url)).toBe(page);
});

test.each([
  ['data:image/png;base64,AA==', true],
  ['blob:app://cuzk/12-34', true],
  ['blob:https://evil.example/12-34', false],
  ['https://evil.example/', false],
  ['http://localhost:1/', false],
  ['ws://127.0.0.1:9077/socket', false],
  ['file:///etc/hostname', false],
])('the page may load %s: %s', (url, may) => expect(mayLoad(url)).toBe(may));

test.each([
  ['clipboard-sanitized-write', 'app://cuzk/', true, true],
  ['clipboard-sanitized-write', 'app://cuzk/', false, false],
  ['clipboard-sanitized-write', 'app://evil/', true, false],
  ['clipboard-read', 'app://cuzk/', true, false],
  ['geolocation', 'app://cuzk/', true, false],
  ['notifications', 'app://cuzk/', true, false],
  ['openExternal', 'app://cuzk/', true, false],
])('%s for %s, in the main frame: %s, is granted: %s', (permission, url, isMainFrame, granted) =>
  expect(isGranted(permission, url, isMainFrame)).toBe(granted),
);
