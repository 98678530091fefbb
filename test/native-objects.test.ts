import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

// The folder with the object files of the release build that `npm test` made.
const objects = join(import.meta.dirname, '..', 'native', 'build', 'release', 'CMakeFiles', 'cuzk_core.dir');

/** Object files of kernels that only newer processors can run, by room. */
function newerKernels(): string[] {
  const rooms = ['msm', 'ntt'];
  return rooms.flatMap((room) =>
    readdirSync(join(objects, room))
      .filter((file) => /_(ifma|adx)\.cpp\.o$/.test(file))
      .map((file) => join(objects, room, file)),
  );
}

describe.runIf(process.arch === 'x64')('kernels compiled for newer processors', () => {
  it('exist for sums and for transforms', () => {
    expect(newerKernels()).toHaveLength(4);
  });

  it('define no inline function that the linker could keep for everybody, on older processors too', () => {
    for (const file of newerKernels()) {
      const { stdout, status } = spawnSync('nm', ['-C', '--defined-only', file], { encoding: 'utf8', maxBuffer: 1 << 26 });
      expect(status).toBe(0);
      const shared = stdout.split('\n').filter((line) => / [WVu] /.test(line) && !/cuzk::(ifma|adx)::/.test(line));
      // The personality routine's address is data that every file with exception tables holds alike.
      expect(shared.filter((line) => !line.includes('DW.ref.__gxx_personality_v0'))).toEqual([]);
    }
  });
});
