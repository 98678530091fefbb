// Makes a fresh checkout ready: tools, packages, the native prover, the command line. Plain Node 20 or newer, nothing installed.
// Says what it does, and does nothing that was done before and has not changed.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundle } from './bundle.mjs';
import { buildNative } from './native.mjs';
import { nodeModules, outsideEnvironment, projectNode, root } from './paths.mjs';
import { buildRenderer } from './renderer.mjs';
import { main, mustRun, SetUpError, say, step } from './say.mjs';
import { hashOf, isStamped, stamp } from './stamp.mjs';
import { requireTools } from './tools.mjs';

async function installPackages() {
  const stampFile = join(nodeModules, '.cuzk-stamp');
  const hash = hashOf(['package-lock.json', '.npmrc']);
  if (isStamped(stampFile, hash)) return;
  await step('installing packages (npm ci)', () =>
    mustRun('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: root, env: outsideEnvironment() }),
  );
  stamp(stampFile, hash);
}

async function checkNode() {
  const version = (await mustRun(projectNode(), ['--version'])).trim();
  if (Number(version.slice(1).split('.')[0]) < 24) {
    throw new SetUpError(
      `Node ${version} runs the set-up, but cuzk needs Node 24, which npm has not for ${process.platform}-${process.arch}\n  try: install Node 24 or newer`,
    );
  }
}

/** Runs every step that is due. */
export async function setUp() {
  if (Number(process.versions.node.split('.')[0]) < 20) {
    throw new SetUpError(`Node ${process.versions.node} is too old\n  try: install Node 20 or newer`);
  }
  say('set-up');
  await requireTools(['compiler', 'cmake', 'ninja']);
  await installPackages();
  await checkNode();
  // A build that is up to date returns at once; the line is printed all the same, so that a long one is never silent.
  await step('building the prover (native, a few minutes the first time)', () => buildNative('release', ['cuzk_addon']));
  await step('bundling the command line', bundle);
  await step('bundling the page', () => buildRenderer());
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  await main(setUp);
}
