// Serves a folder on loopback as the hosts will: with the page's policy as a header, nothing else.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { contentSecurityPolicy } from '../../renderer/vite.config.ts';

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
};

export async function serveFolder(folder: string): Promise<{ url: string } & AsyncDisposable> {
  const server = createServer(async ({ url = '/' }, response) => {
    const path = normalize(new URL(url, 'http://localhost').pathname);
    try {
      const body = await readFile(join(folder, path === '/' ? 'index.html' : path));
      const type = types[extname(path)] ?? 'text/html; charset=utf-8';
      response.writeHead(200, { 'content-type': type, 'content-security-policy': contentSecurityPolicy }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
