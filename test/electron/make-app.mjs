// The desktop app in a folder of its own, as the tests start it: for the old runtime built with what stands in there, otherwise as it is.
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundlePrograms } from '../../build/bundle.mjs';
import { addonFile, root } from '../../build/paths.mjs';

const here = import.meta.dirname;

/** Makes it in `folder`, anew; `modules` holds what the old runtime's app loads. */
export async function makeStandInApp(folder, modules) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const { version, main } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'cuzk-desktop', version, main, type: 'module' }));
  await bundlePrograms(join(folder, 'dist'), {
    // Electron 33 has Node 20.
    target: 'node20',
    inject: [join(here, 'stand-ins', 'disposable-stacks.mjs')],
    // better-sqlite3 needs a newer Node-API than it has.
    alias: { 'better-sqlite3': join(here, 'stand-ins', 'sqlite.mjs') },
    external: ['libsql'],
    sourcemap: false,
  });
  copy(join(root, 'dist', 'renderer'), join(folder, 'dist', 'renderer'));
  copy(addonFile, join(folder, 'native', 'build', 'release', 'cuzk.node'));
  for (const name of ['circuit.zkey', 'circuit.wasm', 'circuit.r1cs', 'circuit.sym', 'inputs'])
    copy(join(root, 'samples', 'merkle', name), join(folder, 'samples', 'merkle', name));
  symlinkSync(modules, join(folder, 'node_modules'));
}

function copy(from, to) {
  if (!existsSync(from)) throw new Error(`${from} is not there: npm run set-up`);
  cpSync(from, to, { recursive: true });
}
