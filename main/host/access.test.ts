// Who may ask, and by which names.

import type { IncomingHttpHeaders } from 'node:http';
import { describe, expect, it } from 'vitest';
import { requireAccess, requirePageAccess } from './access.ts';
import { isLocalName, isLoopback, parseAddress } from './addresses.ts';

const token = 'a-token-of-some-length';
const here = { token, loopback: true };
const anywhere = { token, loopback: false };
const bearer = { authorization: `Bearer ${token}` };
const codeOf = (...args: Parameters<typeof requireAccess>) => {
  try {
    requireAccess(...args);
    return 'let in';
  } catch (problem) {
    return (problem as { code: string }).code;
  }
};

describe('the page by a link', () => {
  const link = { host: '127.0.0.1:9077', 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };

  it('may be opened from anywhere, but not framed, fetched or posted to', () => {
    const ask =
      (headers: IncomingHttpHeaders, mayNavigate = true) =>
      () =>
        requirePageAccess(headers, { loopback: true, mayNavigate });
    expect(ask({ ...link, 'sec-fetch-dest': 'document' })).not.toThrow();
    expect(ask({ ...link, 'sec-fetch-dest': 'document' }, false)).toThrow('other sites');
    expect(ask({ ...link, 'sec-fetch-dest': 'iframe' })).toThrow('other sites');
    expect(ask({ ...link, 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'no-cors' })).toThrow('other sites');
    expect(ask({ ...link, 'sec-fetch-dest': 'document', origin: 'http://evil.example' })).toThrow('evil.example');
  });
});

describe('on loopback', () => {
  it('the status is for everyone on the machine, commands need the token', () => {
    expect(codeOf({ host: 'localhost:9077' }, false, here)).toBe('let in');
    expect(codeOf({ host: 'localhost:9077' }, true, here)).toBe('HttpUnauthorized');
    expect(codeOf({ host: 'localhost:9077', ...bearer }, true, here)).toBe('let in');
  });

  it.each(['localhost', 'LOCALHOST:1', '127.0.0.1:9077', '127.8.8.8', '[::1]:80', '[::1]', '[::ffff:127.0.0.1]:5'])(
    'is called %s',
    (host) => expect(isLocalName(host)).toBe(true),
  );

  it.each([
    'evil.example',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    '10.0.0.1',
    '[::2]',
    '',
    'evil@localhost',
    undefined,
  ])('is not called %s: another site could have given itself that name', (host) => {
    expect(isLocalName(host)).toBe(false);
    expect(codeOf({ host, ...bearer }, false, here)).toBe('HttpHost');
  });
});

describe('anywhere else', () => {
  it('everything needs the token', () => {
    expect(codeOf({ host: 'rig:9077' }, false, anywhere)).toBe('HttpUnauthorized');
    expect(codeOf({ host: 'rig:9077', ...bearer }, false, anywhere)).toBe('let in');
  });
});

it.each([
  ['no scheme', token],
  ['another scheme', `Basic ${token}`],
  ['a part of the token', `Bearer ${token.slice(0, -1)}`],
  ['more than the token', `Bearer ${token}x`],
  ['two tokens', `Bearer ${token} ${token}`],
  ['nothing', 'Bearer '],
])('%s is not the token', (_, authorization) =>
  expect(codeOf({ host: 'localhost', authorization }, true, here)).toBe('HttpUnauthorized'),
);

it.each([
  [{ origin: 'https://evil.example' }, 'HttpOrigin'],
  [{ origin: 'null' }, 'HttpOrigin'],
  [{ origin: 'http://localhost:9078' }, 'HttpOrigin'],
  [{ 'sec-fetch-site': 'cross-site' }, 'HttpOrigin'],
  [{ 'sec-fetch-site': 'same-site' }, 'HttpOrigin'],
  [{ origin: 'http://localhost:9077', 'sec-fetch-site': 'same-origin' }, 'let in'],
  [{ 'sec-fetch-site': 'none' }, 'let in'],
])('%j is %s, also with the token', (headers, code) => {
  expect(codeOf({ host: 'localhost:9077', ...bearer, ...headers }, false, here)).toBe(code);
  expect(codeOf({ host: 'localhost:9077', ...bearer, ...headers }, false, anywhere)).toBe(code);
});

it.each([
  ['127.0.0.1:9077', { host: '127.0.0.1', port: 9077 }],
  ['[::1]:0', { host: '::1', port: 0 }],
  ['rig.local:65535', { host: 'rig.local', port: 65_535 }],
  ['0.0.0.0:80', { host: '0.0.0.0', port: 80 }],
  ['9077', undefined],
  [':9077', undefined],
  ['::1:9077', undefined],
  ['[rig]:80', undefined],
  ['[:::::]:80', undefined],
  ['rig:65536', undefined],
  ['rig:', undefined],
  ['http://rig:80', undefined],
  ['rig:80/x', undefined],
])('the address %s is read as %j', (text, address) => expect(parseAddress(text)).toEqual(address));

it.each([
  ['127.0.0.1', true],
  ['127.255.0.9', true],
  ['::1', true],
  ['::ffff:127.0.0.1', true],
  ['0.0.0.0', false],
  ['::', false],
  ['128.0.0.1', false],
  ['::ffff:10.0.0.1', false],
])('%s is loopback: %s', (address, is) => expect(isLoopback(address)).toBe(is));
