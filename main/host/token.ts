// The token that commands need: generated once into a file that only its owner reads, or given in a file.
import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolder } from '../circuits/write-whole.ts';
import { asCuzkError, CuzkError } from '../contract/errors.ts';

/** 32 random bytes in base64url. */
const generated = /^[\w-]{43}$/;
/** A given token may look otherwise, as long as it fits into a header and is not to be guessed. */
const usable = /^[\x21-\x7e]{16,512}$/;

export interface Token {
  token: string;
  /** Where it stands. */
  file: string;
}

/** The token that a person keeps in a file of their own. */
export async function readToken(file: string): Promise<Token> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (problem) {
    throw asCuzkError(problem, file);
  }
  const token = text.trim();
  if (!usable.test(token))
    throw new CuzkError('TokenUnusable', 'this file holds no token: one line of 16 to 512 characters without spaces is needed', {
      file,
      remedy: 'make one with: openssl rand -base64 32',
    });
  return { token, file };
}

/**
 * The token in `folder`, made if there is none. It stays from start to start, so that scripts go on working; a file that others could have
 * read or written is replaced.
 */
export async function ownToken(folder: string): Promise<Token> {
  const file = join(folder, 'serve-token');
  const kept = await readPrivate(file);
  if (kept !== undefined) return { token: kept, file };
  const token = randomBytes(32).toString('base64url');
  const temporary = `${file}.${process.pid}-${randomBytes(4).toString('hex')}.tmp`;
  try {
    await makeFolder(dirname(file), 0o700);
    await writeFile(temporary, `${token}\n`, { mode: 0o600, flag: 'wx' });
    await rename(temporary, file);
  } catch (problem) {
    await rm(temporary, { force: true }).catch(() => {});
    throw new CuzkError('FileUnwritable', 'the token cannot be kept here', {
      file,
      remedy: 'set CUZK_HOME to a folder that can be written to, or name a file with --token-file',
      cause: problem,
    });
  }
  return { token, file };
}

/** The generated token in a file that is the user's own and nobody else's; undefined when it is anything else. */
async function readPrivate(file: string): Promise<string | undefined> {
  try {
    // A link could lead to a file that somebody else chose.
    await using handle = await open(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    const stats = await handle.stat();
    const isMine = process.getuid === undefined || (stats.uid === process.getuid() && (stats.mode & 0o077) === 0);
    if (!stats.isFile() || !isMine || stats.size > 100) return undefined;
    const token = (await handle.readFile('utf8')).trim();
    return generated.test(token) ? token : undefined;
  } catch {
    return undefined;
  }
}
