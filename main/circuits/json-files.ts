// Reading a JSON file strictly: every refusal names the file and the place in the value, as a path like `pi_b[0][1]`.
import { readFile } from 'node:fs/promises';
import { asCuzkError, CuzkError } from '../contract/errors.ts';

export type JsonReviver = (this: unknown, key: string, value: unknown, context: { source?: string }) => unknown;

/** Reads and parses a file; `JsonSyntax` with the offset when it is no JSON. `what` names the kind of file in messages. */
export async function readJson(file: string, what: string, reviver?: JsonReviver): Promise<unknown> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (problem) {
    throw asCuzkError(problem, file);
  }
  return parseJson(text, file, what, reviver);
}

/** `readJson` for a text that is already in memory. */
export function parseJson(content: string, file: string, what: string, reviver?: JsonReviver): unknown {
  // Editors on Windows put a byte-order mark before the text; RFC 8259, section 8.1, lets a reader leave it out.
  const mark = content.startsWith('\uFEFF') ? '\uFEFF' : '';
  const text = content.slice(mark.length);
  try {
    return JSON.parse(text, reviver as Parameters<typeof JSON.parse>[1]);
  } catch (problem) {
    const { message } = problem as Error;
    const position = message.match(/at position (\d+)/)?.[1];
    throw new CuzkError('JsonSyntax', `${text.trim() === '' ? 'this file is empty' : 'this is not JSON'}; a ${what} is needed`, {
      file,
      offset: position === undefined ? undefined : Buffer.byteLength(mark + text.slice(0, Number(position))),
      remedy: `name a ${what}`,
      cause: problem,
    });
  }
}

/** How a value is called in a message, without printing all of it. */
export function describe(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === 'object') return 'an object';
  if (value === undefined) return 'nothing';
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value);
  return text.length > 40 ? `${text.slice(0, 36)}...` : text;
}
