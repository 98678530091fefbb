// Pages of the job table: filtered, sorted by any column, continued by key. A page costs the same at any place of a table of any length: it
// is a merge of the facets' jobs, each read in order from an index; or, where a part of the filter leaves few jobs, the first of those.
import type { Database } from 'better-sqlite3';
import type { JobFilter, Page, PageRequest } from '../contract/history.ts';
import { FacetReader, FacetSource } from './facet-source.ts';
import { facetHasText, facetsOf, jobsWithText } from './filter.ts';
import { merge, type Source } from './merge.ts';
import { fewOf, type Most, most as mostOfFew, narrowed, numbered } from './narrow.ts';
import { Order } from './order.ts';
import { summariesOf } from './summaries.ts';

/** `most`: up to how many jobs are few; for tests of both ways on small histories. */
export function pageOf(db: Database, request: PageRequest = {}, most: Most = mostOfFew): Page {
  const { sort = 'submitted', limit = 50, text } = request;
  const facets = facetsOf(db, request);
  const byText = text ? facets.filter((facet) => facetHasText(facet, text)) : facets;
  const order = new Order(sort, request.ascending ?? false);
  const one = limit + 1;

  const sources: Source[] = [];
  const few = fewOf(db, request, { facets: byText, order, most });
  if (few) sources.push(narrowed(db, few, request, { facets: byText, order, limit: one }));
  else {
    const reader = new FacetReader(db, request, order);
    sources.push(...byText.map((facet) => new FacetSource(reader, facet)));
  }
  if (text) {
    // What the facets bring already is not brought twice.
    const own = new Set(byText);
    const others = facets.filter((facet) => !own.has(facet));
    sources.push(narrowed(db, numbered(jobsWithText(db, text)), request, { facets: others, order, limit: one }));
  }

  const merged = merge(sources, order, one);
  const page = merged.slice(0, limit);
  const last = page.at(-1);
  return {
    jobs: summariesOf(
      db,
      page.map(({ job }) => job),
    ),
    ...(merged.length > limit && last ? { next: last.key } : {}),
    ...(isOfFacets(request) ? { total: facets.reduce((sum, { jobs }) => sum + jobs, 0) } : {}),
  };
}

/** Whether the facets alone say how many jobs there are. */
const isOfFacets = ({ text, tag, pinned, sinceMs, untilMs, minUs, maxUs }: JobFilter) =>
  !text && !pinned && [tag, sinceMs, untilMs, minUs, maxUs].every((part) => part === undefined);
