// What of a filter is asked of each row: its ranges and marks, as SQL.
import type { JobFilter } from '../contract/history.ts';

export interface Conditions {
  /** ` AND ...`, for each part of the filter. */
  sql: string;
  bounds: (number | string)[];
}

/** The parts that neither the facets nor the index of the order answer. */
export function conditionsOf({ sinceMs, untilMs, minUs, maxUs, tag, pinned }: JobFilter): Conditions {
  const parts: [sql: string, bound?: number | string][] = [];
  if (sinceMs !== undefined) parts.push(['submitted_ms >= ?', sinceMs]);
  if (untilMs !== undefined) parts.push(['submitted_ms < ?', untilMs]);
  // A job that has not ended has no duration.
  if (minUs !== undefined || maxUs !== undefined) parts.push(['duration_us >= ?', minUs ?? 0]);
  if (maxUs !== undefined) parts.push(['duration_us <= ?', maxUs]);
  if (tag !== undefined) parts.push(['EXISTS (SELECT 1 FROM tags WHERE tags.tag = ? AND tags.job = jobs.job)', tag]);
  // Asked of the index of those that are pinned: the order's does not have it.
  if (pinned)
    parts.push(['EXISTS (SELECT 1 FROM jobs AS pins INDEXED BY jobs_pinned WHERE pins.pinned = 1 AND pins.job = jobs.job)']);
  return {
    sql: parts.map(([sql]) => ` AND ${sql}`).join(''),
    bounds: parts.flatMap(([, bound]) => (bound === undefined ? [] : [bound])),
  };
}
