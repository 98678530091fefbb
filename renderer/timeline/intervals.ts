// Sets of times as sorted intervals that do not touch: [from0, to0, from1, to1, ...], in milliseconds. All steps are linear.

export type Intervals = readonly number[];

/** The union of intervals whose starts do not fall; `each` is called with what adds one, empty ones are left out. */
export function unionOfSorted(each: (add: (from: number, to: number) => void) => void): number[] {
  const union: number[] = [];
  each((from, to) => {
    if (!(to > from)) return;
    const last = union.length - 1;
    if (last > 0 && from <= union[last]!) {
      if (to > union[last]!) union[last] = to;
    } else {
      union.push(from, to);
    }
  });
  return union;
}

export function union(a: Intervals, b: Intervals): number[] {
  return unionOfSorted((add) => {
    for (let i = 0, j = 0; i < a.length || j < b.length; ) {
      if (j >= b.length || (i < a.length && a[i]! <= b[j]!)) add(a[i++]!, a[i++]!);
      else add(b[j++]!, b[j++]!);
    }
  });
}

export function intersect(a: Intervals, b: Intervals): number[] {
  const both: number[] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const from = Math.max(a[i]!, b[j]!);
    const to = Math.min(a[i + 1]!, b[j + 1]!);
    if (to > from) both.push(from, to);
    if (a[i + 1]! < b[j + 1]!) i += 2;
    else j += 2;
  }
  return both;
}

/** What is in `a` and not in `b`. */
export function subtract(a: Intervals, b: Intervals): number[] {
  const left: number[] = [];
  for (let i = 0, j = 0; i < a.length; i += 2) {
    let from = a[i]!;
    const to = a[i + 1]!;
    while (j < b.length && b[j + 1]! <= from) j += 2;
    for (let k = j; k < b.length && b[k]! < to; k += 2) {
      if (b[k]! > from) left.push(from, b[k]!);
      from = Math.max(from, b[k + 1]!);
    }
    if (to > from) left.push(from, to);
  }
  return left;
}

/** Milliseconds in all. */
export function lengthOf(set: Intervals): number {
  let sum = 0;
  for (let i = 0; i < set.length; i += 2) sum += set[i + 1]! - set[i]!;
  return sum;
}
