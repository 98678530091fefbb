// Finds and loads the addon: the one that the environment names, the packaged one, or the checkout's own build.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { asCuzkError, CuzkError } from '../../contract/errors.ts';
import { packageRoot } from '../../package-root.ts';
import type { Addon } from './addon.d.ts';

/** Where the addon may stand, in the order in which it is looked for. */
export function addonPlaces(environment: NodeJS.ProcessEnv = process.env): string[] {
  if (environment.CUZK_NATIVE) return [environment.CUZK_NATIVE];
  const resources = (process as { resourcesPath?: string }).resourcesPath;
  return [
    ...(resources ? [join(resources, 'native', 'cuzk.node')] : []),
    join(packageRoot, 'native', 'build', 'release', 'cuzk.node'),
  ];
}

let loaded: { addon: Addon; path: string } | undefined;

/** The addon and its path, loaded once per process. Throws `NativeMissing` or `NativeBroken`, or `IsaUnavailable` for a wrong CUZK_ISA. */
export function loadNative(): { addon: Addon; path: string } {
  if (loaded) return loaded;
  const path = addonPlaces().find((place) => existsSync(place));
  if (!path) {
    const asked = process.env.CUZK_NATIVE;
    throw new CuzkError('NativeMissing', asked ? 'CUZK_NATIVE names no file' : 'the native prover has not been built', {
      file: asked,
      remedy: asked ? 'correct or unset CUZK_NATIVE' : 'npm run set-up',
    });
  }
  try {
    loaded = { addon: createRequire(import.meta.url)(path) as Addon, path };
  } catch (problem) {
    if ((problem as { code?: unknown }).code === 'IsaUnavailable') throw asCuzkError(problem);
    throw new CuzkError('NativeBroken', `the native prover cannot be loaded: ${(problem as Error).message}`, {
      file: path,
      remedy: 'npm run set-up',
      cause: problem,
    });
  }
  return loaded;
}
