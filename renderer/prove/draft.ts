// A job as a person writes it down, and what is wrong with it as far as the page can tell: it cannot read the files.
import { type JobRequest, submitSchema } from '../../main/contract/commands.ts';
import type { Mode, Priority } from '../../main/contract/events.ts';
import type { EngineState } from '../../main/contract/state.ts';
import { formatBytes, formatCount, plural } from '../../main/contract/units.ts';
import { fileName } from '../components/file-name.ts';
import { expandNumbers } from './expand-numbers.ts';
import { parseDuration } from './parse-duration.ts';

export interface Draft {
  zkey: string;
  wasm: string;
  r1cs: string;
  sym: string;
  /** A path on each line; `{0..15}` in one stands for sixteen. */
  partitions: string;
  kind: string;
  priority: Priority;
  /** Empty: what the circuit says. */
  mode: Mode | '';
  /** Empty: any. */
  device: string;
  deadline: string;
  allowInsecureKey: boolean;
}
export type Field = keyof Draft;
export type Problems = Partial<Record<Field, string>>;

export const emptyDraft: Draft = {
  ...{ zkey: '', wasm: '', r1cs: '', sym: '', partitions: '', kind: '' },
  ...{ priority: 'normal', mode: '', device: '', deadline: '', allowInsecureKey: false },
};

/** What the contract takes for one job. */
export const mostPartitions = 65_536;

export const fileFields = ['zkey', 'wasm', 'r1cs', 'sym'] as const;
const filled = (text: string): string | undefined => text.trim() || undefined;

type Source = JobRequest['partitions'][number];

/** The partitions of the lines, or what is wrong with the first line that is wrong. */
export function readPartitions(text: string): { sources: Source[] } | { problem: string } {
  const sources: Source[] = [];
  for (const [i, line] of text.split('\n').entries()) {
    if (!filled(line)) continue;
    const paths = expandNumbers(line.trim(), mostPartitions);
    if (!paths) return { problem: `line ${i + 1}: the numbers in {…} must rise, and be at most ${formatCount(mostPartitions)}` };
    for (const path of paths) {
      if (path.endsWith('.wtns')) sources.push({ witness: path });
      else if (path.endsWith('.json')) sources.push({ input: path });
      else return { problem: `line ${i + 1}: ${fileName(path)} is neither a .wtns nor a .json` };
    }
    if (sources.length > mostPartitions) return { problem: `a job has at most ${formatCount(mostPartitions)} partitions` };
  }
  return { sources };
}

/** The request that a draft stands for, or what is wrong with it, field by field. */
export function checkDraft(draft: Draft, state: EngineState): { request: JobRequest } | { problems: Problems } {
  const problems: Problems = {};
  for (const field of fileFields) {
    const path = filled(draft[field]);
    if (path && !path.endsWith(`.${field}`)) problems[field] = `${fileName(path)} is not a .${field} file`;
  }
  if (!filled(draft.zkey)) problems.zkey = 'the circuit’s proving key is needed';
  const tooLarge = whyKeyCannotFit(draft.zkey.trim(), state);
  if (tooLarge) problems.zkey ??= tooLarge;
  const read = readPartitions(draft.partitions);
  const sources = 'sources' in read ? read.sources : [];
  if ('problem' in read) problems.partitions = read.problem;
  else if (sources.length === 0) problems.partitions = 'at least one witness or input is needed: one proof is made of each';
  if (!filled(draft.wasm) && sources.some((one) => 'input' in one))
    problems.wasm ??= 'inputs (.json) need the circuit’s .wasm, which computes witnesses of them';
  const deadlineMs = filled(draft.deadline) === undefined ? undefined : parseDuration(draft.deadline);
  if (deadlineMs === null) problems.deadline = 'not a time from now; write 90 s, 10 m or 2 h';
  if (state.circuits[draft.zkey.trim()]?.insecure && !draft.allowInsecureKey)
    problems.allowInsecureKey = 'proofs can be forged against this key: say that you want them all the same';
  if (Object.keys(problems).length > 0) return { problems };
  return asRequest(draft, sources, deadlineMs ?? undefined);
}

function whyKeyCannotFit(zkey: string, { circuits, budgetBytes }: EngineState): string | undefined {
  const known = circuits[zkey];
  if (!known || known.keyBytes + known.proofBytes <= budgetBytes) return undefined;
  const needed = formatBytes(known.keyBytes + known.proofBytes);
  return `this key and one proof need ${needed}, and the budget is ${formatBytes(budgetBytes)}`;
}

/** Checked by the contract's own schema last: what it refuses and the checks above do not know is said all the same. */
function asRequest(
  draft: Draft,
  partitions: Source[],
  deadlineMs: number | undefined,
): { request: JobRequest } | { problems: Problems } {
  const { priority, mode, device, allowInsecureKey } = draft;
  const circuit = Object.fromEntries(fileFields.flatMap((field) => (filled(draft[field]) ? [[field, filled(draft[field])]] : [])));
  const kind = filled(draft.kind);
  const parsed = submitSchema.safeParse({
    ...{ circuit, partitions, priority },
    ...(kind === undefined ? {} : { kind }),
    ...(mode === '' ? {} : { mode }),
    ...(device === '' ? {} : { device }),
    ...(deadlineMs === undefined ? {} : { deadlineMs }),
    ...(allowInsecureKey ? { allowInsecureKey } : {}),
  });
  if (parsed.success) return { request: parsed.data };
  const problems: Problems = {};
  for (const { path, message } of parsed.error.issues) problems[fieldOf(path)] ??= message;
  return { problems };
}

/** The field that a place in the request was made of. */
function fieldOf([first, second]: PropertyKey[]): Field {
  if (first === 'circuit') return fileFields.find((field) => field === second) ?? 'zkey';
  if (first === 'deadlineMs') return 'deadline';
  return first === 'kind' || first === 'priority' || first === 'mode' || first === 'device' ? first : 'partitions';
}

/** The field that an error of the engine is about, by the file that it names. */
export function fieldOfFile(draft: Draft, file: string | undefined): Field | undefined {
  if (file === undefined) return undefined;
  const field = fileFields.find((one) => draft[one].trim() === file);
  if (field) return field;
  const read = readPartitions(draft.partitions);
  const names = 'sources' in read ? read.sources.flatMap((source) => Object.values(source)) : [];
  return names.includes(file) ? 'partitions' : undefined;
}

/** The draft with files put where their names belong; those that belong nowhere are named. */
export function placeFiles(draft: Draft, paths: readonly string[]): { draft: Draft; unknown: string[] } {
  const next = { ...draft };
  const inputs: string[] = [];
  const unknown: string[] = [];
  for (const path of paths) {
    const field = fileFields.find((one) => path.endsWith(`.${one}`));
    if (field) next[field] = path;
    else if (path.endsWith('.wtns') || path.endsWith('.json')) inputs.push(path);
    else unknown.push(path);
  }
  // `10.wtns` stands after `9.wtns`.
  inputs.sort(new Intl.Collator('en', { numeric: true }).compare);
  if (inputs.length > 0) next.partitions = [draft.partitions.trim(), ...inputs].filter(Boolean).join('\n');
  return { draft: next, unknown };
}

/** `16 proofs` */
export function proofCount(draft: Draft): string {
  const read = readPartitions(draft.partitions);
  return 'sources' in read && read.sources.length > 0 ? plural(read.sources.length, 'proof') : 'no proofs yet';
}
