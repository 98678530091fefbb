// cuzk note, tag, pin, unpin, delete: what a person changes in the history.
import { historySchemas } from '../../contract/history.ts';
import { changes } from '../../history/upkeep.ts';
import { type Context, UsageError } from '../context.ts';
import { plural } from '../format.ts';
import { jobNamed, withHistory } from '../opened-history.ts';

/** The same bounds as the app's: what one writes, the other reads. */
function within<T>(parsed: { success: true; data: T } | { success: false; error: { issues: { message: string }[] } }): T {
  if (parsed.success) return parsed.data;
  throw new UsageError(parsed.error.issues.map(({ message }) => message).join('; '));
}

export async function note(context: Context, text: string, words: string): Promise<number> {
  return await withHistory(context, ({ db, write }) => {
    const request = within(historySchemas.setNote.safeParse({ job: jobNamed(db, text), note: words }));
    write(() => changes.note(db, request));
    const said = words === '' ? `the job ${request.job} has no note now` : `noted of the job ${request.job}: ${words}`;
    context.output.result({ event: 'noted', ...request }, said);
    return 0;
  });
}

export async function tag(context: Context, text: string, add: string[], remove: string[]): Promise<number> {
  if (add.length + remove.length === 0) throw new UsageError('say which tags: cuzk tag JOB release, or --remove release');
  return await withHistory(context, ({ db, write }) => {
    const request = within(historySchemas.changeTags.safeParse({ job: jobNamed(db, text), add, remove }));
    const tags = write(() => changes.tag(db, request));
    const has = tags.length > 0 ? `the tags ${tags.join(', ')}` : 'no tags';
    context.output.result({ event: 'tagged', job: request.job, tags }, `the job ${request.job} has ${has} now`);
    return 0;
  });
}

export async function pin(context: Context, text: string, pinned: boolean): Promise<number> {
  return await withHistory(context, ({ db, write }) => {
    const job = jobNamed(db, text);
    write(() => changes.pin(db, { job, pinned }));
    const said = pinned ? `the job ${job} is pinned: pruning leaves it` : `the job ${job} is pinned no more`;
    context.output.result({ event: 'pinned', job, pinned }, said);
    return 0;
  });
}

/** All or none: a name that is not clear, or a job that runs, is refused before anything is gone. */
export async function remove(context: Context, texts: string[]): Promise<number> {
  return await withHistory(context, ({ db, write }) => {
    const jobs = [...new Set(texts.map((text) => jobNamed(db, text)))];
    write(() => {
      for (const job of jobs) changes.remove(db, { job });
    });
    context.output.result({ event: 'deleted', jobs }, `${plural(jobs.length, 'job')} deleted: ${jobs.join(', ')}`);
    return 0;
  });
}
