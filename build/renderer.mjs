// Bundles the page into dist/renderer/ when it changed: `node build/renderer.mjs`; with `demo`, the demo into dist/demo/.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { nodeModules, projectNode, root } from './paths.mjs';
import { main, mustRun } from './say.mjs';
import { hashOf, isStamped, stamp } from './stamp.mjs';

/** Whether there was anything to do. */
export async function buildRenderer(mode = 'production') {
  const out = join(root, 'dist', mode === 'demo' ? 'demo' : 'renderer');
  const skip = (path) => path.endsWith('.test.ts') || (mode !== 'demo' && path.startsWith(join('renderer', 'demo')));
  const hash = hashOf(['renderer', 'main/contract', 'build/renderer.mjs', 'package-lock.json'], { skip, extra: mode });
  const stampFile = join(root, 'dist', `.page-${mode}-stamp`);
  if (isStamped(stampFile, hash) && existsSync(out)) return false;
  const vite = join(nodeModules, 'vite', 'bin', 'vite.js');
  await mustRun(projectNode(), [vite, 'build', 'renderer', '--mode', mode, '--logLevel', 'warn'], {
    cwd: root,
    env: { ...process.env, NODE_ENV: 'production' },
  });
  stamp(stampFile, hash);
  return true;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  await main(async () => {
    await buildRenderer(process.argv[2] === 'demo' ? 'demo' : 'production');
  });
}
