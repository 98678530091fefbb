// Electron's own runtime: whether it is here, and having it installed by its own package, from where its makers publish it.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { nodeModules, projectNode } from './paths.mjs';
import { run } from './say.mjs';

const folder = join(nodeModules, 'electron');

/** The program's path; undefined when the runtime of the package's version is not here. */
export function installedElectron() {
  try {
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    if (
      readFileSync(join(folder, 'dist', 'version'), 'utf8')
        .trim()
        .replace(/^v/, '') !== version
    )
      return undefined;
    const program = join(folder, 'dist', readFileSync(join(folder, 'path.txt'), 'utf8').trim());
    return existsSync(program) ? program : undefined;
  } catch {
    // One of its files is not there: it was never installed, or not to the end.
    return undefined;
  }
}

/** The program's path, installed if it was not; or why it cannot be had. */
export async function haveElectron({ timeoutMs }) {
  const here = installedElectron();
  if (here) return { program: here };
  if (!existsSync(join(folder, 'install.js'))) return { why: 'its package is not installed' };
  const { code, signal, output } = await run(projectNode(), [join(folder, 'install.js')], { timeoutMs });
  const program = code === 0 ? installedElectron() : undefined;
  if (program) return { program };
  if (signal) return { why: `it could not be downloaded within ${timeoutMs / 1000} s` };
  return { why: `it could not be downloaded: ${reasonIn(output)}` };
}

/** The first line that says what went wrong, without what only a programmer reads. */
export function reasonIn(output) {
  const lines = output.split('\n').map((line) => line.trim());
  const line = lines.find((one) => /error|not found|refused|denied/i.test(one)) ?? lines.find(Boolean) ?? 'no reason was given';
  return line.replace(/^(\w*Error:\s*)+/, '').slice(0, 200);
}
