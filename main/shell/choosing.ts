// Which files the page may have chosen: what it asks of the system's dialog, checked.
import type { OpenDialogOptions } from 'electron';
import * as z from 'zod';
import type { ChooseOptions } from '../contract/bridge.ts';
import { CuzkError } from '../contract/errors.ts';
import { problemsOf } from '../host/problems-of.ts';

const schema = z.strictObject({
  title: z.string().min(1).max(200),
  extensions: z
    .array(z.string().regex(/^[a-z0-9]{1,16}$/))
    .max(16)
    .optional(),
  several: z.boolean().optional(),
});

/** The dialog's options for what the page asked. Throws `RequestInvalid`. */
export function dialogOf(value: unknown): OpenDialogOptions {
  const parsed = schema.safeParse(value);
  if (!parsed.success)
    throw new CuzkError('RequestInvalid', `chooseFiles: ${problemsOf(parsed.error)}`, {
      remedy: 'reload the page: it may be of another version',
    });
  const { title, extensions, several } = parsed.data as ChooseOptions;
  return {
    title,
    properties: several ? ['openFile', 'multiSelections'] : ['openFile'],
    ...(extensions
      ? {
          filters: [
            { name: extensions.map((one) => `.${one}`).join(', '), extensions },
            { name: 'All files', extensions: ['*'] },
          ],
        }
      : {}),
  };
}
