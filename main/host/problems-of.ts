// What a schema has against a value, in words for people.
import type * as z from 'zod';
import { CuzkError } from '../contract/errors.ts';
import { type Request, type RequestName, requestSchemas } from '../contract/requests.ts';

type Issue = z.core.$ZodIssue;

/** The first thing that is wrong: `partitions[0].witness: what is wrong`. */
export function problemsOf({ issues: [issue] }: z.ZodError): string {
  return issue ? refusalOf(issue) : 'this is not what is needed';
}

/** Of what fits none of several forms, what is wrong by each. */
function refusalOf(issue: Issue): string {
  const place = issue.path.reduce<string>((text, key) => {
    if (typeof key === 'number') return `${text}[${key}]`;
    return text ? `${text}.${String(key)}` : String(key);
  }, '');
  const reason =
    issue.code === 'invalid_union' && issue.errors.length > 0
      ? issue.errors.flatMap(([first]) => (first ? refusalOf(first) : [])).join(', or ')
      : issue.message;
  return place ? `${place}: ${reason}` : reason;
}

/** The request, if `value` is one of that name. Throws `RequestInvalid`, which names the field. */
export function requireRequest<N extends RequestName>(name: N, value: unknown): Request<N> {
  const parsed = requestSchemas[name].safeParse(value);
  if (parsed.success) return parsed.data as Request<N>;
  throw new CuzkError('RequestInvalid', `${name}: ${problemsOf(parsed.error)}`, {
    remedy: 'reload the page: it may be of another version',
  });
}
