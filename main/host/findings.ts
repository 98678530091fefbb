// What this machine has for proving, and what it lacks.
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { availableParallelism, cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { cacheFolder } from '../circuits/checked-keys.ts';
import { makeFolder } from '../circuits/write-whole.ts';
import type { Finding } from '../contract/app.ts';
import { asCuzkError } from '../contract/errors.ts';
import { formatBytes, plural } from '../contract/units.ts';
import { packageRoot } from '../package-root.ts';
import { addonPlaces, loadNative } from '../prover/native/load.ts';
import type { Device } from '../prover/prover.ts';

const isas: Record<Device['isa'], string> = {
  ifma: 'AVX-512 IFMA, the fastest',
  adx: 'mulx and adx',
  portable: 'portable C++ only: this processor (or CUZK_ISA) has no mulx and adx, proofs take about twice as long',
};

function node(): Finding {
  const major = Number(process.versions.node.split('.')[0]);
  return {
    name: 'Node',
    ok: major >= 24,
    found: process.versions.node,
    remedy: major >= 24 ? undefined : 'run cuzk with Node 24 or newer',
  };
}

function native(): Finding[] {
  try {
    const { addon, path } = loadNative();
    const found = addon.devices().map(({ isa }) => ({ name: 'arithmetic', ok: true, found: isas[isa] }));
    return [{ name: 'native prover', ok: true, found: path }, ...found];
  } catch (problem) {
    const { code, message, remedy } = asCuzkError(problem);
    if (code === 'IsaUnavailable') return [{ name: 'arithmetic', ok: false, found: message, remedy }];
    return [{ name: 'native prover', ok: false, found: `${message}: ${addonPlaces().join(', ')}`, remedy }];
  }
}

function processors(): Finding {
  const usable = availableParallelism();
  const all = cpus().length;
  const found = `${cpus()[0]?.model.trim() ?? 'unknown'}, ${plural(usable, 'core')}${usable < all ? ` of ${all}` : ''}`;
  return { name: 'processor', ok: true, found };
}

function memory(): Finding {
  const limit = process.constrainedMemory();
  const total = limit > 0 && limit < totalmem() ? limit : totalmem();
  return { name: 'memory', ok: true, found: `${formatBytes(total)}, ${formatBytes(process.availableMemory())} of it free` };
}

async function cache(): Promise<Finding> {
  const folder = cacheFolder();
  try {
    await makeFolder(folder, 0o700);
    accessSync(folder, constants.W_OK);
    return { name: 'cache folder', ok: true, found: folder };
  } catch {
    const remedy = 'make it writable, or set CUZK_HOME: until then each key is checked again at every proof';
    return { name: 'cache folder', ok: false, found: `${folder} cannot be written to`, remedy };
  }
}

/** The tools that build the prover: of interest in a checkout only. */
function buildTools(): Finding[] {
  if (!existsSync(join(packageRoot, 'native', 'CMakeLists.txt'))) return [];
  return [
    ['C++ compiler', ['g++', 'clang++', 'c++'], 'g++'],
    ['CMake', ['cmake'], 'cmake'],
    ['Ninja or make', ['ninja', 'make'], 'ninja-build'],
  ].map(([name, commands, debian]) => {
    for (const command of commands as string[]) {
      const { status, stdout } = spawnSync(command, ['--version'], { encoding: 'utf8' });
      const version = stdout?.match(/\d+\.\d+(\.\d+)?/)?.[0] ?? '';
      if (status === 0) return { name: name as string, ok: true, found: `${command} ${version}` };
    }
    const remedy = existsSync('/etc/debian_version') ? `sudo apt-get install -y ${debian}` : `install ${debian}`;
    return { name: name as string, ok: false, found: 'not found (needed to build the prover)', remedy };
  });
}

/** All that proving depends on, in the order in which it is read. */
export async function findings(): Promise<Finding[]> {
  return [node(), ...native(), processors(), memory(), await cache(), ...buildTools()];
}
