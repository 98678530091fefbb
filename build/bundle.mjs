// Bundles the programs into dist/: one file to load instead of dozens, with the types already taken off, so that they start fast.
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { cliFile, nodeModules, root } from './paths.mjs';
import { hashOf, isStamped, stamp } from './stamp.mjs';

const dist = join(root, 'dist');

// The entry turns on Node's compile cache before anything else is loaded: the second start finds the code compiled.
const entry = `#!/usr/bin/env node
import module from 'node:module';
if (Number(process.versions.node.split('.')[0]) < 24) {
  console.error('error: cuzk needs Node 24 or newer, and this is Node ' + process.versions.node + '\\n  try: npm run -s cuzk -- ...');
  process.exit(2);
}
module.enableCompileCache();
await import('./cli.mjs');
`;

const esbuild = () => createRequire(join(nodeModules, 'package.json'))('esbuild');

/**
 * Bundles all that runs outside the page into `outdir`: the command line, its threads, and the desktop app. `overrides` are for a build that runs
 * elsewhere than the app does.
 */
export async function bundlePrograms(outdir, overrides = {}) {
  const { build } = esbuild();
  const shared = { outdir, bundle: true, platform: 'node', legalComments: 'linked', sourcemap: 'linked', target: 'node24' };
  await build({
    ...shared,
    entryPoints: {
      cli: join(root, 'main/cli/main.ts'),
      'witness-worker': join(root, 'main/circuits/witness-worker.ts'),
      'history-reader': join(root, 'main/history/reader-thread.ts'),
      'history-writer': join(root, 'main/history/writer-thread.ts'),
      'shell/main': join(root, 'main/shell/main.ts'),
    },
    outExtension: { '.js': '.mjs' },
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    format: 'esm',
    // commander is CommonJS and asks for node: modules by require.
    banner: { js: "import { createRequire as cuzkRequire } from 'node:module'; const require = cuzkRequire(import.meta.url);" },
    ...overrides,
    // better-sqlite3 finds its binary beside its own files, and Electron is what runs the app.
    external: ['better-sqlite3', 'electron', ...(overrides.external ?? [])],
  });
  await build({
    ...shared,
    ...(overrides.target ? { target: overrides.target } : {}),
    entryPoints: { 'shell/preload': join(root, 'main/shell/preload.ts') },
    outExtension: { '.js': '.cjs' },
    external: ['electron'],
    // A sandboxed preload can be nothing else.
    format: 'cjs',
  });
}

/** Bundles into dist/, unless nothing changed. Resolves with whether it did. */
export async function bundle() {
  const hash = hashOf(['main', 'build/bundle.mjs', 'package.json'], { skip: (path) => path.endsWith('.test.ts') });
  const stampFile = join(dist, '.cli-stamp');
  if (isStamped(stampFile, hash) && existsSync(cliFile)) return false;
  // The page, beside it, has a stamp of its own.
  rmSync(join(dist, 'chunks'), { recursive: true, force: true });
  await bundlePrograms(dist);
  writeFileSync(cliFile, entry, { mode: 0o755 });
  stamp(stampFile, hash);
  return true;
}
