// Before the tests in Electron: a runtime, the app for it, and a screen. Electron's own runtime where it can be had, which starts the app as
// `npm start` does; else one from a package tarball (make-runtime.mjs), with what stands in there.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundle } from '../../build/bundle.mjs';
import { haveElectron } from '../../build/electron.mjs';
import { root } from '../../build/paths.mjs';
import { buildRenderer } from '../../build/renderer.mjs';
import { makeStandInApp } from './make-app.mjs';
import { makeRuntime, runtimeVersion } from './make-runtime.mjs';

/** Has the tests know of `{ program, app, isOwn, version, display }`, or `{ why }` there is no Electron. */
export default async function setUp({ provide }) {
  const ends = [];
  try {
    const screen = await openScreen();
    if (screen.end) ends.push(screen.end);
    const electron = screen.why ? screen : { ...(await prepare(ends)), display: screen.display };
    if (electron.why) console.log(`the app is not tested in Electron: ${electron.why}`);
    else console.log(`Electron ${electron.version}${electron.isOwn ? '' : ', with what stands in there'}`);
    provide('electron', electron);
  } catch (problem) {
    for (const end of ends) end();
    throw problem;
  }
  return () => {
    for (const end of ends) end();
  };
}

async function prepare(ends) {
  await bundle();
  await buildRenderer();
  const own = await haveElectron({ timeoutMs: 20_000 });
  if (own.program) return { program: own.program, app: root, isOwn: true, version: own.version };
  const { program, modules, why } = await makeRuntime();
  if (!program) return { why: `Electron's own runtime: ${own.why}; the tests' own: ${why}` };
  const folder = mkdtempSync(join(tmpdir(), 'cuzk-electron-'));
  ends.push(() => rmSync(folder, { recursive: true, force: true }));
  const app = join(folder, 'app');
  await makeStandInApp(app, modules);
  return { program, app, isOwn: false, version: runtimeVersion };
}

/** A screen of the tests' own, so that nothing appears on a person's: `{ display, end }`; or why there is none. */
async function openScreen() {
  if (process.platform !== 'linux') return {};
  const child = spawn('Xvfb', ['-displayfd', '1', '-screen', '0', '1920x1200x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const display = await new Promise((resolve) => {
    child.on('error', () => resolve(undefined));
    child.on('exit', () => resolve(undefined));
    child.stdout.setEncoding('utf8').on('data', (text) => resolve(text.trim()));
  });
  if (!display) return { why: 'Xvfb is not installed (apt-get install xvfb)' };
  return { display: `:${display}`, end: () => child.kill() };
}
