// The page's address in the desktop app, what counts as it, and what it may. Pure.

export const scheme = 'app';
export const origin = `${scheme}://cuzk`;
/** The one document there is. */
export const pageUrl = `${origin}/`;

/** A URL of a standard scheme, taken apart; undefined for what is none. */
function parsed(url: string): URL | undefined {
  return URL.canParse(url) ? new URL(url) : undefined;
}

// URL.origin is "null" for schemes that only Electron knows: the parts are compared.
const isAtHome = ({ protocol, host, username, password }: URL) =>
  protocol === `${scheme}:` && host === 'cuzk' && username === '' && password === '';

/** Whether an address is one of our own: the page or a file of it. */
export function isOurs(url: string): boolean {
  const address = parsed(url);
  return address !== undefined && isAtHome(address);
}

/** Whether an address is the page itself, on whichever of its screens (the hash). */
export function isPage(url: string): boolean {
  const address = parsed(url);
  return address !== undefined && isAtHome(address) && address.pathname === '/' && address.search === '';
}

/** Whether the page may load from an address: itself, and what it made or holds itself. */
export function mayLoad(url: string): boolean {
  return isOurs(url) || url.startsWith('data:') || url.startsWith(`blob:${origin}/`);
}

/** The one permission that the page has: putting text onto the clipboard, for what people copy by a click. Reading it is another one. */
export const isGranted = (permission: string, requestingUrl: string, isMainFrame: boolean): boolean =>
  permission === 'clipboard-sanitized-write' && isMainFrame && isPage(requestingUrl);
