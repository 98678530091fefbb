// The tools that the native build needs: which are here, and what brings the rest.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { outsideEnvironment } from './paths.mjs';
import { mustRun, SetUpError, step } from './say.mjs';

const env = outsideEnvironment();

// Each need is met by any one of its commands; the first that is found is used.
const needs = {
  compiler: { commands: ['g++', 'clang++', 'c++'], debian: ['g++'], what: 'a C++20 compiler (g++ 11 or clang 14 or newer)' },
  cmake: { commands: ['cmake'], debian: ['cmake'], what: 'CMake 3.20 or newer' },
  ninja: { commands: ['ninja', 'make'], debian: ['ninja-build'], what: 'Ninja or make' },
  fuzzer: {
    commands: ['clang++', 'clang++-14', 'clang++-15', 'clang++-16', 'clang++-19'],
    debian: ['clang', 'libclang-rt-dev'],
    what: 'clang with libFuzzer (for the fuzzers)',
    // Debian has the runtime in a package of its own; clang answers with a path only when the file is there.
    isWhole: (command) => {
      const file = `libclang_rt.fuzzer-${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}.a`;
      return spawnSync(command, [`-print-file-name=${file}`], { env, encoding: 'utf8' }).stdout.trim() !== file;
    },
  },
};

/** The oldest versions that can build the prover. */
const oldest = { 'g++': [11], 'clang++': [14], cmake: [3, 20] };

function isTooOld(command, version) {
  const wanted = oldest[command.replace(/-\d+$/, '')] ?? [];
  const found = version.split('.').map(Number);
  const at = wanted.findIndex((part, i) => (found[i] ?? 0) !== part);
  return at >= 0 && (found[at] ?? 0) < wanted[at];
}

function versionOf(command) {
  const { status, stdout } = spawnSync(command, ['--version'], { env, encoding: 'utf8' });
  return status === 0 ? (stdout.match(/\d+\.\d+(\.\d+)?/)?.[0] ?? 'unknown version') : undefined;
}

/** The command that meets a need, with its version; undefined when none is installed. */
export function find(need) {
  const { commands, isWhole = () => true } = needs[need];
  for (const command of commands) {
    const version = versionOf(command);
    if (version && !isTooOld(command, version) && isWhole(command)) return { command, version };
  }
  return undefined;
}

/** How to bring packages on this machine, for a person to type. */
function remedy(missing) {
  const packages = missing.flatMap((need) => needs[need].debian).join(' ');
  if (existsSync('/etc/debian_version')) return `sudo apt-get update && sudo apt-get install -y ${packages}`;
  if (process.platform === 'darwin') return 'xcode-select --install && brew install cmake ninja';
  return `install ${missing.map((need) => needs[need].what).join(', ')} with your system's package manager`;
}

/** Makes sure that the named needs are met: installs them as root on Debian, else says which command brings them. */
export async function requireTools(wanted) {
  const missing = wanted.filter((need) => !find(need));
  if (missing.length === 0) return;
  const names = missing.map((need) => needs[need].what).join(', ');
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) {
    throw new SetUpError(`this machine lacks ${names}\n  try: ${remedy(missing)}`);
  }
  const packages = missing.flatMap((need) => needs[need].debian);
  await step(`installing ${packages.join(', ')} (apt-get)`, async () => {
    const quiet = { env: { ...env, DEBIAN_FRONTEND: 'noninteractive' } };
    await mustRun('apt-get', ['update', '-q'], quiet);
    await mustRun('apt-get', ['install', '-y', '-q', '--no-install-recommends', ...packages], quiet);
  });
  const still = missing.filter((need) => !find(need));
  if (still.length > 0) throw new SetUpError(`apt-get installed ${packages.join(', ')}, but ${still.join(', ')} cannot be run`);
}
