// Remembers what was found out about keys, by content, which does not change: that their points were checked, which costs about a proof, and
// how many different coefficients they have, which tells their size in memory.
// A file is known again by its identity (device, inode, size, times), so that an unchanged file is not even hashed.
import type { BigIntStats } from 'node:fs';
import { open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { abortedCode, asCuzkError, CuzkError, notAFile } from '../contract/errors.ts';
import { makeFolder } from './write-whole.ts';

/** Raised when the native check learns to find more: what was remembered under an older number is checked again. */
const checkVersion = 2;
/** The memory's size is bounded; the keys used last stay. */
const mostKeys = 1000;
/** A file that changed this recently might change again without a visible change of its times, so its identity is not trusted. */
const settledMs = 2000;

export interface CheckedKey {
  /** Why the key is insecure, or null. */
  insecure: string | null;
  /** The file's size: a file of another size need not be hashed to know that it is another key. */
  bytes: number;
  /** Not there when an earlier cuzk remembered the key. */
  distinctCoefficients?: number;
}

interface Memory {
  checkVersion: number;
  /** Content hash by file identity, least recently used first. */
  files: Record<string, string>;
  /** What the check found, by content hash, least recently used first. */
  keys: Record<string, CheckedKey>;
}

/** The folder for what cuzk remembers: CUZK_HOME, or `cuzk` in the user's cache folder. */
export function cacheFolder(environment: NodeJS.ProcessEnv = process.env): string {
  if (environment.CUZK_HOME) return environment.CUZK_HOME;
  return join(environment.XDG_CACHE_HOME || join(homedir(), '.cache'), 'cuzk');
}

/** What tells a file from its later versions without reading it. */
export async function identify(file: string): Promise<{ identity: string; settled: boolean; bytes: number }> {
  let stats: BigIntStats;
  try {
    stats = await stat(file, { bigint: true });
  } catch (problem) {
    throw asCuzkError(problem, file);
  }
  // Opening a pipe that nobody writes to would wait for ever, and could not be interrupted.
  if (!stats.isFile() && !stats.isDirectory()) throw notAFile(file);
  const { dev, ino, size, mtimeNs, ctimeNs } = stats;
  return {
    identity: [dev, ino, size, mtimeNs, ctimeNs].join(':'),
    settled: Date.now() - Number(ctimeNs / 1_000_000n) > settledMs,
    bytes: Number(size),
  };
}

/** SHA-256 of a file's content, in hex. */
export async function contentHash(
  file: string,
  { signal, onBytes }: { signal?: AbortSignal | undefined; onBytes?: ((done: number, total: number) => void) | undefined } = {},
): Promise<string> {
  try {
    await using handle = await open(file);
    const { size } = await handle.stat();
    // Loaded when it is needed: a remembered key is not hashed, and OpenSSL takes time and memory.
    const { createHash } = await import('node:crypto');
    const hash = createHash('sha256');
    const buffer = Buffer.allocUnsafe(4 << 20);
    for (let done = 0; ; ) {
      if (signal?.aborted) throw new CuzkError(abortedCode, 'interrupted');
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, done);
      if (bytesRead === 0) return hash.digest('hex');
      hash.update(buffer.subarray(0, bytesRead));
      done += bytesRead;
      onBytes?.(done, size);
    }
  } catch (problem) {
    throw asCuzkError(problem, file);
  }
}

const emptyMemory = (): Memory => ({ checkVersion, files: {}, keys: {} });

export class CheckedKeys {
  readonly #file: string;

  constructor(folder = cacheFolder()) {
    this.#file = join(folder, 'checked-keys.json');
  }

  /** The hash of a file that was remembered under this identity. */
  async hashOf(identity: string): Promise<string | undefined> {
    return (await this.#read()).files[identity];
  }

  /** How many different coefficients the key has that was remembered under this identity. */
  async distinctCoefficientsOf(identity: string): Promise<number | undefined> {
    const { files, keys } = await this.#read();
    const count = keys[files[identity] ?? '']?.distinctCoefficients;
    return Number.isSafeInteger(count) ? count : undefined;
  }

  async find(hash: string): Promise<CheckedKey | undefined> {
    return (await this.#read()).keys[hash];
  }

  /** Whether any remembered key has that many bytes. */
  async hasSize(bytes: number): Promise<boolean> {
    return Object.values((await this.#read()).keys).some((key) => key.bytes === bytes);
  }

  /**
   * Remembers a key. Never fails: with an unwritable cache folder the key is checked again next time. Two processes that write
   * at once lose one of the two entries, which costs one check.
   */
  async remember(hash: string, key: CheckedKey, identity?: string): Promise<void> {
    const memory = await this.#read();
    putLast(memory.keys, hash, key);
    if (identity) putLast(memory.files, identity, hash);
    const temporary = `${this.#file}.${process.pid}.tmp`;
    try {
      await makeFolder(dirname(this.#file), 0o700);
      await writeFile(temporary, JSON.stringify(memory), { mode: 0o600 });
      await rename(temporary, this.#file);
    } catch {
      await rm(temporary, { force: true }).catch(() => {});
    }
  }

  /** The memory as it is on disk; an absent, foreign or broken file is an empty memory. */
  async #read(): Promise<Memory> {
    try {
      const memory = JSON.parse(await readFile(this.#file, 'utf8')) as Memory;
      const whole = memory.checkVersion === checkVersion && isTable(memory.files) && isTable(memory.keys);
      return whole ? memory : emptyMemory();
    } catch {
      return emptyMemory();
    }
  }
}

const isTable = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);

function putLast<T>(table: Record<string, T>, name: string, value: T): void {
  delete table[name];
  table[name] = value;
  for (const oldest of Object.keys(table).slice(0, -mostKeys)) delete table[oldest];
}
