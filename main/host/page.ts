// The app's page for a browser: the files of the bundle, read once, each under its own name and no other.
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { CuzkError } from '../contract/errors.ts';
import type { Answer } from './answers.ts';

/** Where the page is; its own files are named relative to it. */
export const pagePath = '/app/';

const contentTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** The page loads nothing but itself (as renderer/vite.config.ts says inside it too), and is shown inside no other. */
const headers = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
};

export class Page {
  readonly #files = new Map<string, Answer>();

  /** Reads the bundle in `folder`; a file of a kind that the page has not is left out. */
  constructor(folder: string) {
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      const file = join(entry.parentPath, entry.name);
      const contentType = contentTypes[extname(entry.name)];
      if (!entry.isFile() || !contentType) continue;
      const name = relative(folder, file).split(sep).join('/');
      this.#files.set(name === 'index.html' ? '' : name, { status: 200, contentType, body: readFileSync(file, 'utf8'), headers });
    }
  }

  /** The answer to a path that begins with `pagePath`. Throws `HttpNotFound`. */
  answer(path: string): Answer {
    const answer = this.#files.get(path.slice(pagePath.length));
    if (!answer) throw new CuzkError('HttpNotFound', `the page has no file ${path}`, { remedy: `open ${pagePath}` });
    return answer;
  }
}
