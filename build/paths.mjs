// Where things stand in this repository, for the build scripts. Plain Node 20, nothing installed.
import { existsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..');
export const nodeModules = join(root, 'node_modules');
export const nativeBuild = join(root, 'native', 'build');
export const addonFile = join(nativeBuild, 'release', 'cuzk.node');
export const cliFile = join(root, 'dist', 'cuzk.mjs');

/** The Node that everything after set-up runs on: the one from npm, or the running one where npm has none for this platform. */
export function projectNode() {
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const file = join(nodeModules, `node-${platform}-${process.arch}`, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  return existsSync(file) ? file : process.execPath;
}

/** The environment for npm and compilers: without node_modules/.bin, which npm scripts put first and `npm ci` takes away. */
export function outsideEnvironment() {
  const path = (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.includes(`node_modules`));
  return { ...process.env, PATH: path.join(delimiter) };
}
