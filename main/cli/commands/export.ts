// cuzk export, import: jobs as files.
import { basename } from 'node:path';
import { readJson } from '../../circuits/json-files.ts';
import { writeWholeAll } from '../../circuits/write-whole.ts';
import { type ExportedFile, filesOf } from '../../history/export/files.ts';
import { importJob } from '../../history/export/job-json.ts';
import { type Context, UsageError } from '../context.ts';
import { plural } from '../format.ts';
import { jobNamed, withHistory } from '../opened-history.ts';

export interface ExportOptions {
  proofs?: string;
  trace?: string;
  json?: string;
}

export async function exportFiles(context: Context, text: string, { proofs, trace, json }: ExportOptions): Promise<number> {
  if (proofs === undefined && trace === undefined && json === undefined)
    throw new UsageError('say what is to be written: --proofs PATH, --trace FILE or --json FILE');
  return await withHistory(context, async ({ db }) => {
    const id = jobNamed(db, text);
    const { output } = context;
    const write = async (what: 'proofs' | 'trace' | 'json', to: string, words: (files: ExportedFile[]) => string) => {
      const files = filesOf(db, id, what, to);
      await writeWholeAll(files);
      output.result({ event: 'exported', job: id, [what]: to }, words(files));
    };
    if (proofs !== undefined)
      await write('proofs', proofs, (files) => {
        const [[, content]] = files as [ExportedFile];
        return typeof content === 'string'
          ? `${proofs}: ${plural(files.length / 2, 'proof')} with public signals`
          : `${proofs}: ${plural(content.length / 192, 'compressed proof')}, 192 bytes each`;
      });
    if (trace !== undefined)
      await write('trace', trace, () => `${trace}: the timeline of ${id}; open it on https://ui.perfetto.dev`);
    if (json !== undefined) await write('json', json, () => `${json}: the job ${id}; cuzk import reads it on another machine`);
    return 0;
  });
}

export async function importFile(context: Context, file: string): Promise<number> {
  const exported = await readJson(file, 'job that cuzk exported');
  const { machine } = (exported ?? {}) as { machine?: unknown };
  return await withHistory(
    context,
    ({ db, write }) => {
      const id = write(() => importJob(db, exported, typeof machine === 'string' ? machine : basename(file)));
      context.output.result({ event: 'imported', job: id }, `imported the job ${id}: cuzk show ${id}`);
      return 0;
    },
    { create: true },
  );
}
