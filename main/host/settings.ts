// What a person has set, in a file beside the history.
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { writeWholeAll } from '../circuits/write-whole.ts';
import { defaultSettings, type Settings, settingsSchema } from '../contract/app.ts';
import { asCuzkError, CuzkError } from '../contract/errors.ts';
import { historyFile } from '../history/location.ts';
import { problemsOf } from './problems-of.ts';

export const settingsFile = (environment: NodeJS.ProcessEnv = process.env): string =>
  join(dirname(historyFile(environment)), 'settings.json');

/** The settings in `file`, and the usual ones for what it does not name. Throws `SettingsInvalid` for a file that is none of ours. */
export async function readSettings(file: string): Promise<Settings> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (problem) {
    if ((problem as NodeJS.ErrnoException).code === 'ENOENT') return defaultSettings;
    throw asCuzkError(problem, file);
  }
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (cause) {
    throw invalid(file, 'this is no JSON', cause);
  }
  const parsed = settingsSchema.partial().safeParse(value);
  if (!parsed.success) throw invalid(file, problemsOf(parsed.error));
  return { ...defaultSettings, ...defined(parsed.data) };
}

export async function writeSettings(file: string, settings: Settings): Promise<void> {
  await writeWholeAll([[file, `${JSON.stringify(settings, null, 2)}\n`]]);
}

/** Without what is undefined, which would replace what there is. */
export function defined<T extends object>(value: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as never;
}

const invalid = (file: string, what: string, cause?: unknown) =>
  new CuzkError('SettingsInvalid', `these are no settings of cuzk: ${what}`, {
    file,
    remedy: 'correct it, or remove it to begin with the usual settings',
    cause,
  });
