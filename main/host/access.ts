// Who may ask: from which pages, under which name, with which token. Pure; every refusal is an error with a code.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { CuzkError } from '../contract/errors.ts';
import { isLocalName } from './addresses.ts';

export interface AccessRules {
  token: string;
  /** Whether only this machine reaches the server. */
  loopback: boolean;
}

/** Throws unless a request with these headers may have what it asks for; `guarded` is what always needs the token. */
export function requireAccess(headers: IncomingHttpHeaders, guarded: boolean, { token, loopback }: AccessRules): void {
  requirePageAccess(headers, { loopback });
  if ((guarded || !loopback) && !isBearer(headers.authorization, token))
    throw new CuzkError('HttpUnauthorized', 'this needs the token', {
      remedy: 'send the header Authorization: Bearer TOKEN, with the content of the file that cuzk serve names',
    });
}

/** Throws unless a request with these headers may have what needs no token. `mayNavigate`: also by a link on any page, to be looked at. */
export function requirePageAccess(
  headers: IncomingHttpHeaders,
  { loopback, mayNavigate = false }: Pick<AccessRules, 'loopback'> & { mayNavigate?: boolean },
): void {
  // Elsewhere everything needs the token, which no other site's page has.
  if (loopback && !isLocalName(headers.host))
    throw new CuzkError('HttpHost', `this server is not called ${headers.host ?? '(nothing)'}`, {
      remedy: 'call it localhost or 127.0.0.1',
    });
  if (isForeign(headers) && !(mayNavigate && isNavigation(headers)))
    throw new CuzkError('HttpOrigin', `pages of ${headers.origin ?? 'other sites'} may not ask`, {
      remedy: 'ask from a program, not from a page of another site',
    });
}

/** Whether a browser says that the request is made by another site's page. Programs send neither header. */
function isForeign(headers: IncomingHttpHeaders): boolean {
  const { origin, host } = headers;
  if (origin !== undefined && origin !== `http://${host}`) return true;
  const site = headers['sec-fetch-site'];
  return site === 'cross-site' || site === 'same-site';
}

/** Whether a person opens the page itself, by a link or a bookmark from anywhere: its files hold nothing secret, and no frame shows them. */
const isNavigation = (headers: IncomingHttpHeaders): boolean =>
  headers.origin === undefined && headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';

/** In a time that does not tell how much of the token is right: hashes are compared, which have one length. */
function isBearer(authorization: string | undefined, token: string): boolean {
  const [, given] = authorization?.match(/^Bearer +(\S+)$/i) ?? [];
  return given !== undefined && timingSafeEqual(hashOf(given), hashOf(token));
}

/** Of one length, whatever the text's. */
export const hashOf = (text: string) => createHash('sha256').update(text).digest();
