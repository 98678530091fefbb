// Where this package stands on disk, from the sources and from the bundle alike.
import { join } from 'node:path';

/** The bundle is dist/*.mjs and dist/chunks/*.mjs; this file is main/package-root.ts. */
export const isBundled: boolean = !import.meta.url.endsWith('.ts');

export const packageRoot: string = join(import.meta.dirname, import.meta.url.includes('/dist/chunks/') ? '../..' : '..');
