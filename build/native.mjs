// Builds the native part with plain CMake into native/build/<variant>. `node build/native.mjs [release|sanitize|fuzz] [target...]`.

import { existsSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { nativeBuild, nodeModules, outsideEnvironment, root } from './paths.mjs';
import { main, mustRun } from './say.mjs';
import { hashOf, isStamped, stamp } from './stamp.mjs';
import { find } from './tools.mjs';

const variants = {
  release: { options: [], addons: true },
  sanitize: { options: ['-DCUZK_SANITIZE=ON'], addons: false },
  fuzz: { options: ['-DCUZK_FUZZ=ON'], addons: false },
};

export const variantFolder = (variant) => join(nativeBuild, variant);

function configureArguments(variant) {
  const { options, addons } = variants[variant];
  const includes = ['node-api-headers/include', 'node-addon-api'].map((folder) => join(nodeModules, folder));
  const tool = find('ninja');
  const compiler = variant === 'fuzz' ? find('fuzzer') : find('compiler');
  return [
    ...['-S', join(root, 'native'), '-B', variantFolder(variant), '-G', tool.command === 'ninja' ? 'Ninja' : 'Unix Makefiles'],
    `-DCMAKE_BUILD_TYPE=Release`,
    `-DCMAKE_CXX_COMPILER=${compiler.command}`,
    `-DCMAKE_C_COMPILER=${compiler.command
      .replace('clang++', 'clang')
      .replace('g++', 'gcc')
      .replace(/^c\+\+$/, 'cc')}`,
    `-DCUZK_BLST_DIR=${join(nodeModules, 'c-kzg', 'deps', 'blst')}`,
    ...(addons ? [`-DCUZK_NODE_API_INCLUDE=${includes.join(';')}`] : []),
    ...options,
  ];
}

/** What a build depends on: the sources, and the versions of what is compiled in from node_modules. */
function inputsHash(variant, targets) {
  const versions = ['c-kzg', 'node-api-headers', 'node-addon-api'].map(
    (name) => JSON.parse(readFileSync(join(nodeModules, name, 'package.json'), 'utf8')).version,
  );
  return hashOf(['native'], {
    skip: (path) => path === join('native', 'build') || path.includes('corpus'),
    extra: JSON.stringify([versions, targets, configureArguments(variant)]),
  });
}

/** Builds the targets of a variant (all when none is named), unless nothing changed. Resolves with whether it built. */
export async function buildNative(variant, targets = []) {
  const folder = variantFolder(variant);
  const stampFile = join(folder, `.stamp-${targets.join('-') || 'all'}`);
  const hash = inputsHash(variant, targets);
  if (isStamped(stampFile, hash)) return false;
  const options = { cwd: root, env: outsideEnvironment(), log: `${variant}-${targets.join('-') || 'all'}` };
  const configure = configureArguments(variant);
  const configured = join(folder, '.configured');
  if (!isStamped(configured, JSON.stringify(configure))) {
    // Another generator or compiler cannot take over an old build folder.
    if (existsSync(join(folder, 'CMakeCache.txt'))) rmSync(folder, { recursive: true });
    await mustRun('cmake', configure, options);
    stamp(configured, JSON.stringify(configure));
  }
  const cores = String(availableParallelism?.() ?? cpus().length);
  await mustRun('cmake', ['--build', folder, '--parallel', cores, ...targets.flatMap((target) => ['--target', target])], options);
  stamp(stampFile, hash);
  return true;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [variant = 'release', ...targets] = process.argv.slice(2);
  await main(async () => {
    await buildNative(variant, targets);
  });
}
