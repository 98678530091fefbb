// What the files of a draft say of themselves: each is read as soon as it is named, and what is wrong with it stands next to it.
import { ref } from 'vue';
import type { FileFacts } from '../../main/contract/app.ts';
import { CuzkError } from '../../main/contract/errors.ts';
import { formatCount } from '../../main/contract/units.ts';
import { fileName } from '../components/file-name.ts';
import type { Draft, Problems } from './draft.ts';
import { fileFields, readPartitions } from './draft.ts';

export type FileCheck = { facts: FileFacts } | { problem: CuzkError } | 'reading';

/** More witnesses than this are checked when they are proved: each costs the host a read. */
export const mostChecked = 64;

/** Reads each file once for each time that it is named anew. */
export class FileChecks {
  readonly checks = ref(new Map<string, FileCheck>());
  readonly #inspect: (path: string) => Promise<FileFacts>;

  constructor(inspect: (path: string) => Promise<FileFacts>) {
    this.#inspect = inspect;
  }

  /** Reads the files of the draft that were not read yet, and forgets those that it does not name. */
  async look(draft: Draft): Promise<void> {
    const named = filesOf(draft);
    for (const path of this.checks.value.keys()) if (!named.includes(path)) this.checks.value.delete(path);
    await Promise.all(named.filter((path) => !this.checks.value.has(path)).map((path) => this.#read(path)));
  }

  async #read(path: string): Promise<void> {
    this.checks.value.set(path, 'reading');
    try {
      const facts = await this.#inspect(path);
      this.#put(path, { facts });
    } catch (problem) {
      this.#put(path, { problem: problem instanceof CuzkError ? problem : new CuzkError('Internal', String(problem)) });
    }
  }

  /** Unless the draft does not name it any more. */
  #put(path: string, check: FileCheck): void {
    if (this.checks.value.has(path)) this.checks.value.set(path, check);
  }

  factsOf(path: string): FileFacts | undefined {
    const check = this.checks.value.get(path);
    return check && check !== 'reading' && 'facts' in check ? check.facts : undefined;
  }

  /** What is wrong with the draft's files, by field: each by itself, then held against the key. */
  problemsOf(draft: Draft): Problems {
    const problems: Problems = {};
    const key = this.factsOf(draft.zkey.trim());
    for (const field of fileFields) {
      const problem = this.#problemOf(draft[field].trim(), field === 'zkey' ? undefined : key, [field]);
      if (problem) problems[field] = problem;
    }
    const sources = partitionFiles(draft);
    for (const path of sources) {
      const problem = this.#problemOf(path, key, ['wtns', 'input.json']);
      if (!problem) continue;
      problems.partitions = sources.length > 1 ? `${fileName(path)}: ${problem}` : problem;
      break;
    }
    return problems;
  }

  #problemOf(path: string, key: FileFacts | undefined, formats: string[]): string | undefined {
    const check = this.checks.value.get(path);
    if (!check || check === 'reading') return undefined;
    if ('problem' in check) {
      const { message, offset, remedy } = check.problem;
      return `${message}${offset === undefined ? '' : `, at byte ${formatCount(offset)}`}${remedy ? `; try: ${remedy}` : ''}`;
    }
    const { format, curve, nVars } = check.facts;
    if (!formats.includes(format)) return `this is a ${format}, and a ${formats.join(' or ')} is needed`;
    if (key?.curve && curve && curve !== key.curve) return `this is over ${curve}, and the key over ${key.curve}`;
    if (key?.nVars && nVars && nVars !== key.nVars)
      return `this has ${formatCount(nVars)} values, and the key's circuit ${formatCount(key.nVars)} variables: it is of another circuit`;
    return undefined;
  }
}

const partitionFiles = (draft: Draft): string[] => {
  const read = readPartitions(draft.partitions);
  const sources = 'sources' in read ? read.sources : [];
  return sources.slice(0, mostChecked).map((source) => ('witness' in source ? source.witness : source.input));
};

const filesOf = (draft: Draft): string[] => [
  ...fileFields.map((field) => draft[field].trim()).filter(Boolean),
  ...partitionFiles(draft),
];
