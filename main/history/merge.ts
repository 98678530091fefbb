// A page as a merge of sources that are each in order.
import type { Cursor } from '../contract/history.ts';
import type { Order } from './order.ts';

export interface Keyed {
  job: number;
  key: Cursor;
}

/** Jobs in order, one after the other. */
export interface Source {
  /** The next one; or, without a job, a key that is not behind it, of a source that was not read yet. */
  head(): Keyed | { job: undefined; key: Cursor } | undefined;
  /** Goes on to the one behind it, or reads it. */
  advance(): void;
}

/** Jobs that are in order already. */
export function listed(keyed: readonly Keyed[]): Source {
  let at = 0;
  return { head: () => keyed[at], advance: () => void at++ };
}

/** The first `limit` of all sources, in order. */
export function merge(sources: readonly Source[], order: Order, limit: number): Keyed[] {
  const merged: Keyed[] = [];
  type Live = { source: Source; head: NonNullable<ReturnType<Source['head']>> };
  const behind = (a: Live, b: Live) => order.compare(b.head.key, a.head.key);
  // The next one is the last of the list.
  const live = sources
    .flatMap((source): Live[] => {
      const head = source.head();
      return head ? [{ source, head }] : [];
    })
    .sort(behind);
  while (merged.length < limit) {
    const one = live.pop();
    if (!one) break;
    if (one.head.job !== undefined) merged.push(one.head);
    one.source.advance();
    const head = one.source.head();
    if (!head) continue;
    one.head = head;
    let [low, high] = [0, live.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (behind(live[middle]!, one) < 0) low = middle + 1;
      else high = middle;
    }
    live.splice(low, 0, one);
  }
  return merged;
}
