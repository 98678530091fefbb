// Where the server listens, and which names a browser may call it by.
import { isIP } from 'node:net';

export interface ListenAddress {
  host: string;
  port: number;
}

/** Not a port that anything else is known to use. */
export const defaultAddress: ListenAddress = { host: '127.0.0.1', port: 9077 };

/** `127.0.0.1:9077`, `[::1]:0`, `rig.local:9077`; undefined when it is nothing like that. */
export function parseAddress(text: string): ListenAddress | undefined {
  const [, v6, name, port] = text.match(/^(?:\[([\da-fA-F:.]+)\]|([^:[\]\s/@]+)):(\d{1,5})$/) ?? [];
  if (port === undefined || Number(port) > 65_535 || (v6 !== undefined && isIP(v6) !== 6)) return undefined;
  return { host: (v6 ?? name)!, port: Number(port) };
}

/** Whether an address that a socket is bound to can be reached from this machine alone. */
export function isLoopback(address: string): boolean {
  const v4 = address.replace(/^::ffff:/i, '');
  return isIP(v4) === 4 ? v4.startsWith('127.') : address === '::1';
}

/** An address as it stands in a URL. */
export const inUrl = (host: string, port: number) => `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;

/**
 * Whether a `Host` header names this machine. A page of another site can point a name of its own at 127.0.0.1 and then read what it gets, as
 * the browser takes both for one site (DNS rebinding); the name is all that tells the two apart. The port may be another: tunnels change it.
 */
export function isLocalName(host: string | undefined): boolean {
  const name = host?.match(/^(\[[^\]]*\]|[^:]*)(?::\d{1,5})?$/)?.[1]?.toLowerCase();
  if (name === undefined) return false;
  if (name === 'localhost') return true;
  return name.startsWith('[') ? isLoopback(name.slice(1, -1)) : isIP(name) === 4 && isLoopback(name);
}
