// Labels of metrics, kept few: every distinct label value is a time series that the collecting side keeps for ever.

/** What a job's kind is called when there are too many of them. */
export const otherKind = 'other';
/** So many kinds have a name of their own. */
export const mostKinds = 32;

/** Kinds are any text: the first ones keep their names for good, all others share one. */
export class KindLabels {
  readonly #known = new Set<string>();

  of(kind: string): string {
    if (this.#known.has(kind)) return kind;
    if (this.#known.size >= mostKinds) return otherKind;
    this.#known.add(kind);
    return kind;
  }
}

export type OwnerClass = 'keys' | 'proofs';

/** What an owner of the budget holds memory for; owners are named for people: `key merkle.zkey on cpu`, `job-7/0`. */
export function ownerClassOf(owner: string): OwnerClass {
  return owner.startsWith('key ') ? 'keys' : 'proofs';
}
