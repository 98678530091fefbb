// What a command is asked with: a JSON object, of bounded size, checked by the contract's schema.
import type { IncomingMessage } from 'node:http';
import { type Command, type CommandName, commandSchemas } from '../contract/commands.ts';
import { CuzkError } from '../contract/errors.ts';
import { problemsOf } from './problems-of.ts';

/** More than the paths of 65,536 partitions that are named sensibly. */
export const mostBodyBytes = 1 << 20;

/** The request's body; an empty one is an empty object. */
export async function readBody(request: IncomingMessage): Promise<unknown> {
  if (Number(request.headers['content-length'] ?? 0) > mostBodyBytes) throw tooLarge();
  const chunks: Buffer[] = [];
  let bytes = 0;
  // The connection must outlive a body that is given up: the refusal goes out on it.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > mostBodyBytes) throw tooLarge();
    chunks.push(chunk);
  }
  if (bytes === 0) return {};
  let body: unknown;
  try {
    body = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks)));
  } catch {
    throw new CuzkError('HttpBody', 'the body is no JSON', { remedy: 'send a JSON object' });
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new CuzkError('HttpBody', 'the body is no JSON object', { remedy: 'send a JSON object' });
  return body;
}

/** The command, if `value` is one; the refusal names the field. */
export function requireCommand<N extends CommandName>(name: N, value: unknown): Command<N> {
  const parsed = commandSchemas[name].safeParse(value);
  if (parsed.success) return parsed.data as Command<N>;
  throw new CuzkError('HttpBody', problemsOf(parsed.error), { remedy: 'docs/serve.md lists what each command takes' });
}

const tooLarge = () =>
  new CuzkError('HttpBodyTooLarge', `the body is larger than ${mostBodyBytes} bytes`, {
    remedy: 'split the job, or shorten its paths',
  });
