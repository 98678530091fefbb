// A link over a WebSocket to the host that the page came from.
import { closeCodes, subprotocol } from '../../main/contract/wire.ts';
import type { OpenLink } from './link.ts';
import { LinkConnection } from './link-connection.ts';

/** Base64url of the text's UTF-8: what a subprotocol's name may hold. */
function base64url(text: string): string {
  const bytes = new TextEncoder().encode(text);
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
}

/** Opens WebSockets to `url`, with the token. */
export function webSocketLink(
  url: string,
  token: string | undefined,
  make = (...args: ConstructorParameters<typeof WebSocket>) => new WebSocket(...args),
): OpenLink {
  return ({ onOpen, onMessage, onClose }) => {
    const socket = make(url, [subprotocol, ...(token === undefined ? [] : [`token.${base64url(token)}`])]);
    socket.addEventListener('open', () => onOpen());
    socket.addEventListener('message', ({ data }) => onMessage(JSON.parse(data as string)));
    socket.addEventListener('close', ({ code, reason }) => onClose(new Error(reasonOf(code, reason))));
    return {
      send: (message) => socket.send(JSON.stringify(message)),
      close: () => socket.close(),
    };
  };
}

function reasonOf(code: number, reason: string): string {
  if (code === closeCodes.token) return 'this address has no valid token: open the one that cuzk serve prints';
  return reason || 'the engine does not answer';
}

/** The host that the page came from, with the token that its address brought. */
export function webSocketConnection(): LinkConnection {
  const url = new URL('/socket', location.href);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  url.hash = '';
  return new LinkConnection({ name: location.origin, open: webSocketLink(url.href, takeToken()) });
}

/** Takes the token out of the address, where it would be copied and shown; a reload finds it in the tab's own storage. */
function takeToken(): string | undefined {
  const address = new URL(location.href);
  const given = address.searchParams.get('token');
  if (given === null) return sessionStorage.getItem('token') ?? undefined;
  sessionStorage.setItem('token', given);
  address.searchParams.delete('token');
  history.replaceState(history.state, '', address);
  return given;
}
