// Whether a step's inputs changed since it last succeeded: a hash of their content, kept in a file beside the step's result.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { root } from './paths.mjs';

function* filesUnder(path, skip) {
  if (!existsSync(path)) return;
  if (!statSync(path).isDirectory()) {
    yield path;
    return;
  }
  for (const name of readdirSync(path).sort()) {
    const inner = join(path, name);
    if (!skip(relative(root, inner))) yield* filesUnder(inner, skip);
  }
}

/** The hash of the named files and folders (relative to the root) and of `extra`; `skip` leaves out paths below folders. */
export function hashOf(paths, { skip = () => false, extra = '' } = {}) {
  const hash = createHash('sha256').update(extra);
  for (const path of paths) {
    for (const file of filesUnder(join(root, path), skip)) {
      hash.update(`\0${relative(root, file)}\0`).update(readFileSync(file));
    }
  }
  return hash.digest('hex');
}

export function isStamped(file, hash) {
  return existsSync(file) && readFileSync(file, 'utf8') === hash;
}

export function stamp(file, hash) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, hash);
}
