// Two jobs phase by phase.

import type { AttemptSummary, PhaseComparison } from '../contract/history.ts';
import { type SpanName, spanNames } from '../contract/state.ts';

/** The phases that either job has, in the order in which they happen. */
export function compare(a: readonly AttemptSummary[], b: readonly AttemptSummary[]): PhaseComparison[] {
  return spanNames.flatMap((phase) => {
    const [aUs, bUs] = [mean(a, phase), mean(b, phase)];
    if (aUs === null && bUs === null) return [];
    const deltaUs = aUs === null || bUs === null ? null : bUs - aUs;
    return [{ phase, aUs, bUs, deltaUs, ratio: deltaUs === null || !aUs ? null : deltaUs / aUs }];
  });
}

function mean(attempts: readonly AttemptSummary[], phase: SpanName): number | null {
  const times = attempts.flatMap(({ phase: end, times }) => (end === 'done' && times[phase] !== undefined ? [times[phase]] : []));
  return times.length === 0 ? null : times.reduce((sum, us) => sum + us, 0) / times.length;
}
