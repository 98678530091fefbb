// cuzk serve: the engine for other tools, over HTTP, until it is interrupted.
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder } from '../../circuits/checked-keys.ts';
import type { Handlers } from '../../contract/requests.ts';
import { defaultAddress, type ListenAddress, parseAddress } from '../../host/addresses.ts';
import type { HostedEngine } from '../../host/engine-face.ts';
import { Page, pagePath } from '../../host/page.ts';
import { Host } from '../../host/server.ts';
import { ownToken, readToken } from '../../host/token.ts';
import { packageRoot } from '../../package-root.ts';
import { type Context, UsageError } from '../context.ts';

/** Where build/renderer.mjs puts the page. */
const pageFolder = join(packageRoot, 'dist', 'renderer');

export interface ServeOptions {
  listen?: string;
  tokenFile?: string;
}

/** An engine, and who answers a page's requests, until it is disposed of. */
export interface Served extends AsyncDisposable {
  engine: HostedEngine;
  handlers: Handlers;
}

/** Makes the engine, serves it, and ends both when the context's signal aborts. */
export async function serve(
  context: Context,
  { listen, tokenFile }: ServeOptions,
  open: (context: Context) => Promise<Served>,
  onServing: (app: string | undefined) => void = () => {},
): Promise<number> {
  const { output, signal } = context;
  const address = addressOf(listen);
  const { token, file } = tokenFile === undefined ? await ownToken(cacheFolder()) : await readToken(tokenFile);
  await using opened = await open(context);
  // Disposed of before the engine: whoever follows the events hears that the server closes, not how the engine is taken apart.
  const page = existsSync(pageFolder) ? new Page(pageFolder) : undefined;
  await using host = await Host.start({ engine: opened.engine, handlers: opened.handlers, listen: address, token, page });
  const { url, isLoopback } = host;
  // The token is in the address, so that the page can be opened from here; it takes it out of sight at once.
  const app = page && `${url}${pagePath}?token=${encodeURIComponent(token)}`;
  output.result(
    { event: 'serving', url, tokenFile: file, loopback: isLoopback, app },
    `serving on ${url}\n${app ? `in a browser: ${app}\n` : ''}commands need the token in ${file}; Ctrl-C ends`,
  );
  onServing(app);
  if (!isLoopback)
    output.note(
      { event: 'note', note: 'unencrypted', url },
      'other machines can reach this address: everything needs the token, which travels unencrypted',
    );
  if (!signal.aborted) await once(signal, 'abort');
  return 0;
}

function addressOf(listen: string | undefined): ListenAddress {
  const address = listen === undefined ? defaultAddress : parseAddress(listen);
  if (!address) throw new UsageError(`--listen needs HOST:PORT, as 127.0.0.1:9077 or [::1]:0; this is neither: ${listen}`);
  return address;
}
