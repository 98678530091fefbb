// What a refusal looks like in TypeScript: the same five facts that native/device/error.hpp carries.

export interface ErrorDetails {
  /** The file that is to blame, as the person named it. */
  file?: string | undefined;
  /** The byte in that file at which the bad value stands. */
  offset?: number | undefined;
  /** What to do about it: a sentence or a command. */
  remedy?: string | undefined;
  cause?: unknown;
}

/** A refusal that a person can act on. `code` is stable and listed in docs/errors.md. */
export class CuzkError extends Error {
  readonly code: string;
  readonly file?: string;
  readonly offset?: number;
  readonly remedy?: string;

  constructor(code: string, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'CuzkError';
    this.code = code;
    if (details.file) this.file = details.file;
    if (details.offset !== undefined) this.offset = details.offset;
    if (details.remedy) this.remedy = details.remedy;
  }
}

/** The code of a call that was stopped by its AbortSignal. */
export const abortedCode = 'Aborted';

/** What the operating system's refusals to read mean to a person, by errno code; the codes are those of native/formats/file.hpp. */
const readRefusals: Record<string, [code: string, message: string, remedy: string]> = {
  ENOENT: ['FileNotFound', 'there is no such file', 'check the path'],
  ENOTDIR: ['FileNotFound', 'a part of the path is not a folder', 'check the path'],
  EISDIR: ['FileIsDirectory', 'this is a folder, not a file', 'name a file inside it'],
  EACCES: ['FileUnreadable', 'this file may not be read', 'check its permissions'],
  EPERM: ['FileUnreadable', 'this file may not be read', 'check its permissions'],
  ELOOP: ['FileUnreadable', 'this link leads back to itself', 'name the file itself'],
  ENAMETOOLONG: ['FileUnreadable', 'this path is too long', 'check the path'],
  EIO: ['FileUnreadable', 'the device reports an error', 'check the disk, or copy the file anew'],
};

function hasCode(problem: unknown): problem is Error & { code: string; path?: unknown } {
  return problem instanceof Error && typeof (problem as { code?: unknown }).code === 'string';
}

/**
 * Makes a CuzkError of whatever was thrown: native errors (which carry code, file, offset, remedy as plain properties) and the
 * operating system's are translated; anything else, a bug by definition, becomes `Internal` with the original as its cause.
 */
export function asCuzkError(problem: unknown, file?: string): CuzkError {
  if (problem instanceof CuzkError) return problem;
  if (hasCode(problem)) {
    const refusal = readRefusals[problem.code];
    if (refusal) {
      const path = typeof problem.path === 'string' ? problem.path : file;
      return new CuzkError(refusal[0], refusal[1], { file: path, remedy: refusal[2], cause: problem });
    }
    // Not the operating system's or Node's codes, which are all capitals; a code of ours may begin with R1cs.
    if (/^[A-Z].*[a-z]/.test(problem.code)) {
      const { file: itsFile, offset, remedy } = problem as Error & ErrorDetails;
      return new CuzkError(problem.code, problem.message, { file: itsFile ?? file, offset, remedy, cause: problem });
    }
  }
  const message = problem instanceof Error ? problem.message : String(problem);
  return new CuzkError('Internal', message, {
    file,
    remedy: 'this is a bug: run again with --debug and report what it prints',
    cause: problem,
  });
}

/** A pipe or a device in a file's place, in the words of native/formats/file.cpp. */
export const notAFile = (file: string) =>
  new CuzkError('FileUnreadable', 'this is a device or a pipe: the reader needs a file that it can read at any place', {
    file,
    remedy: 'write the data to a file first',
  });
