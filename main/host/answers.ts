// What goes back: bodies with their headers, and errors as JSON with the status that fits their code.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { asCuzkError, type CuzkError } from '../contract/errors.ts';

export interface Answer {
  status: number;
  contentType: string;
  body: string;
  headers?: Record<string, string>;
}

/** On every answer: nothing is stored, guessed at, or shown inside another page. */
export const commonHeaders = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
};

export function json(value: unknown, status = 200, headers: Record<string, string> = {}): Answer {
  return { status, contentType: 'application/json; charset=utf-8', body: `${JSON.stringify(value)}\n`, headers };
}

export const text = (body: string): Answer => ({ status: 200, contentType: 'text/plain; charset=utf-8', body });

/** The status of each code; a code that is not here is a refusal of what was asked for. */
const statuses: Record<string, number> = {
  HttpBody: 400,
  HttpUnauthorized: 401,
  HttpHost: 403,
  HttpOrigin: 403,
  HttpNotFound: 404,
  JobUnknown: 404,
  HttpMethod: 405,
  RequestKeyInUse: 409,
  JobRunning: 409,
  HttpBodyTooLarge: 413,
  Internal: 500,
  HttpBusy: 503,
  EngineStopped: 503,
  OutOfMemory: 503,
};
const refused = 422;

export function errorAnswer(problem: unknown, headers: Record<string, string> = {}): Answer {
  const { code, message, file, offset, remedy }: CuzkError = asCuzkError(problem);
  const status = statuses[code] ?? refused;
  const asks = status === 401 ? { 'www-authenticate': 'Bearer realm="cuzk"' } : {};
  return json({ error: { code, message, file, offset, remedy } }, status, { ...asks, ...headers });
}

export function send(request: IncomingMessage, response: ServerResponse, { status, contentType, body, headers }: Answer): void {
  const bytes = Buffer.from(body);
  response.writeHead(status, { ...commonHeaders, ...headers, 'content-type': contentType, 'content-length': bytes.length });
  response.end(request.method === 'HEAD' ? undefined : bytes);
}
