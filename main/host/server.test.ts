// The server over real sockets: what each path answers, and to whom.
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CuzkError } from '../contract/errors.ts';
import { FakeEngine } from './fake-engine.ts';
import { mostBodyBytes } from './request-body.ts';
import { Host } from './server.ts';

const token = 'a-token-of-some-length';
const authorization = `Bearer ${token}`;
const listen = { host: '127.0.0.1', port: 0 };
let engine: FakeEngine;
let host: Host;

beforeEach(async () => {
  engine = new FakeEngine();
  host = await Host.start({ engine, listen, token, now: () => engine.now });
});
afterEach(() => host.close());

/** A request with exactly these headers, which fetch would not send. */
function ask(method: string, path: string, { headers = {}, body }: { headers?: Record<string, string>; body?: string } = {}) {
  const { promise, resolve, reject } = Promise.withResolvers<{
    status: number;
    headers: Record<string, string | string[] | undefined>;
    text: string;
    // biome-ignore lint/suspicious/noExplicitAny: any JSON
    json: any;
  }>();
  const sent = httpRequest(`${host.url}`, { method, path, headers, agent: false }, (response) => {
    let text = '';
    response.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
    });
    response.on('end', () => {
      const isJson = response.headers['content-type']?.startsWith('application/json') && text;
      resolve({ status: response.statusCode!, headers: response.headers, text, json: isJson ? JSON.parse(text) : undefined });
    });
  });
  sent.on('error', reject).end(body);
  return promise;
}
const command = (method: string, path: string, body?: unknown) =>
  ask(method, path, { headers: { authorization }, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
const aJob = { circuit: { zkey: 'm.zkey' }, partitions: [{ witness: 'a.wtns' }, { witness: 'b.wtns' }] };

describe('reading', () => {
  it('GET / lists what there is', async () => {
    const { status, headers, text } = await ask('GET', '/');
    expect({ status, type: headers['content-type'] }).toEqual({ status: 200, type: 'text/plain; charset=utf-8' });
    expect(text).toMatch(/GET +\/status.*POST +\/keys\/evict/s);
  });

  it('GET /status is the state of now, and nothing is stored on the way', async () => {
    engine.now += 40;
    const { status, headers, json } = await ask('GET', '/status?whatever');
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    expect(json).toMatchObject({ seq: 0, uptime_secs: 1.04, pipelines: [] });
    expect(json.state).toEqual(engine.snapshot());
  });

  it('GET /metrics is for Prometheus', async () => {
    const { status, headers, text } = await ask('GET', '/metrics');
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(text).toContain('# TYPE cuzk_phase_seconds histogram');
  });

  it.each(['/', '/status', '/metrics', '/events'])('HEAD %s is GET without the body', async (path) => {
    const { status, text, headers } = await ask('HEAD', path);
    expect({ status, text }).toEqual({ status: 200, text: '' });
    if (path !== '/events') expect(Number(headers['content-length'])).toBeGreaterThan(10);
  });

  it.each([
    ['POST', '/status', 405, 'HttpMethod', 'GET, HEAD'],
    ['OPTIONS', '/status', 405, 'HttpMethod', 'GET, HEAD'],
    ['GET', '/nothing', 404, 'HttpNotFound', undefined],
    ['GET', '//', 404, 'HttpNotFound', undefined],
    ['GET', '/jobs/%', 404, 'HttpNotFound', undefined],
    ['GET', '/status/', 404, 'HttpNotFound', undefined],
  ])('%s %s is %i', async (method, path, status, code, allow) => {
    const answer = await ask(method, path);
    expect({ status: answer.status, code: answer.json.error.code, allow: answer.headers.allow }).toEqual({ status, code, allow });
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
  });
});

describe('commands', () => {
  it.each([
    ['POST', '/jobs'],
    ['GET', '/jobs/job-1'],
    ['DELETE', '/jobs/job-1'],
    ['POST', '/jobs/job-1/retry'],
    ['POST', '/keys/preload'],
    ['POST', '/keys/evict'],
  ])('%s %s needs the token, also on loopback', async (method, path) => {
    for (const headers of [{}, { authorization: 'Bearer another-token-of-length' }]) {
      const answer = await ask(method, path, { headers, body: JSON.stringify(aJob) });
      expect({ status: answer.status, code: answer.json.error.code }).toEqual({ status: 401, code: 'HttpUnauthorized' });
      expect(answer.headers['www-authenticate']).toContain('Bearer');
    }
    expect(engine.asked).toEqual([]);
  });

  it('a job is submitted once, and attached to afterwards', async () => {
    const first = await command('POST', '/jobs', aJob);
    expect(first).toMatchObject({ status: 201, json: { job: 'job-1', attached: false }, headers: { location: '/jobs/job-1' } });
    expect(engine.asked).toEqual([{ submit: aJob }]);
    const again = await command('POST', '/jobs', { ...aJob, requestKey: 'known' });
    expect(again).toMatchObject({ status: 200, json: { attached: true } });
  });

  it('GET /jobs/ID tells how it stands, and its proofs when it has ended', async () => {
    await command('POST', '/jobs', aJob);
    const live = (await command('GET', '/jobs/job-1')).json;
    expect(live).toMatchObject({
      seq: 1,
      ageMs: 0,
      job: { phase: 'queued', partitions: [{ phase: 'pending' }, { phase: 'pending' }] },
    });
    expect(live).not.toHaveProperty('proofs');
    engine.tracker.jobCompleted('job-1', 'failed', { code: 'DeviceLost', message: 'gone' });
    engine.outcomes.set('job-1', { job: 'job-1', end: 'succeeded', proofs: [{ proof: 1 }, { proof: 2 }] });
    const ended = { end: 'succeeded', proofs: [{ proof: 1 }, { proof: 2 }] };
    expect((await command('GET', '/jobs/job-1')).json).toMatchObject({ ...ended, job: { phase: 'failed' } });
    engine.tracker.emit({ type: 'jobForgotten', job: 'job-1' });
    expect((await command('GET', '/jobs/job-1')).json).toMatchObject({ ...ended, job: null });
  });

  it('the other commands ask the engine what they say', async () => {
    await command('POST', '/jobs', aJob);
    engine.asked.length = 0;
    expect((await command('POST', '/jobs/job-1/retry')).json).toEqual({ job: 'job-1-again', attached: false });
    await command('POST', '/jobs/job-1/retry', { requestKey: 'k' });
    expect((await command('DELETE', '/jobs/job-1')).json).toEqual({ ended: true });
    expect((await command('POST', '/keys/preload', { circuit: 'm.zkey', device: 'cpu' })).json).toEqual({ devices: ['cpu'] });
    expect((await command('POST', '/keys/evict', { circuit: 'm.zkey' })).json).toEqual({ devices: ['cpu'] });
    expect(engine.asked).toEqual([
      { retry: 'job-1', requestKey: undefined },
      { retry: 'job-1', requestKey: 'k' },
      { cancel: 'job-1' },
      { preload: 'm.zkey', device: 'cpu' },
      { evict: 'm.zkey', device: undefined },
    ]);
  });

  it.each([
    ['/jobs', { ...aJob, partitions: [{ witness: 'a' }, { witness: '' }] }, /^partitions\[1\]\.witness: /],
    ['/jobs', { ...aJob, partitions: [{}] }, /^partitions\[0\]: witness: .*, or input: /],
    ['/jobs', { ...aJob, priority: 'urgent' }, /^priority: /],
    ['/jobs', { ...aJob, prioritiy: 'low' }, /prioritiy/],
    ['/jobs', { partitions: aJob.partitions }, /^circuit: /],
    ['/jobs', { circuit: { zkey: 'm.zkey' }, partitions: [{ input: 'i.json' }] }, /^circuit\.wasm: /],
    ['/keys/preload', {}, /^circuit: /],
    ['/jobs', [], /no JSON object/],
    ['/jobs', 'text', /no JSON object/],
    ['/jobs/a/retry', { requestKey: 7 }, /^requestKey: /],
  ])('%s refuses %j, naming the field', async (path, body, message) => {
    const { status, json } = await command('POST', path, body);
    expect({ status, code: json.error.code }).toEqual({ status: 400, code: 'HttpBody' });
    expect(json.error.message).toMatch(message);
    expect(engine.asked).toEqual([]);
  });

  it('refuses what is no JSON, and no UTF-8', async () => {
    for (const body of ['{', Buffer.from([0x7b, 0xff, 0x7d]).toString('latin1')])
      expect(await ask('POST', '/jobs', { headers: { authorization }, body })).toMatchObject({ status: 400 });
  });

  it.each([
    ['that says its length', { 'content-length': String(mostBodyBytes + 1) }],
    ['that does not', { 'transfer-encoding': 'chunked' }],
  ])('refuses a body of more than 1 MiB %s, and closes the connection', async (_, headers) => {
    const body = ' '.repeat(mostBodyBytes + 1);
    const answer = await ask('POST', '/jobs', { headers: { authorization, ...headers }, body });
    expect(answer).toMatchObject({ status: 413, headers: { connection: 'close' }, json: { error: { code: 'HttpBodyTooLarge' } } });
  });

  it.each([
    [new CuzkError('RequestKeyInUse', 'that key is taken'), 409],
    [new CuzkError('JobRunning', 'it has not ended'), 409],
    [new CuzkError('EngineStopped', 'shutting down'), 503],
    [new CuzkError('FileNotFound', 'there is no such file', { file: 'm.zkey', remedy: 'check the path' }), 422],
    [new TypeError('a bug'), 500],
  ])('%s is %i', async (refusal, status) => {
    engine.refusal = refusal;
    const answer = await command('POST', '/jobs', aJob);
    expect(answer.status).toBe(status);
    expect(answer.json.error).toMatchObject({ code: (refusal as CuzkError).code ?? 'Internal', message: refusal.message });
    expect(answer.text).not.toContain('.ts:');
  });

  it('a job that there is not is 404', async () => {
    expect(await command('DELETE', '/jobs/none')).toMatchObject({ status: 404, json: { error: { code: 'JobUnknown' } } });
    expect(await command('GET', '/jobs/__proto__')).toMatchObject({ status: 404, json: { error: { code: 'JobUnknown' } } });
  });
});

describe('who may ask', () => {
  it.each([
    [{ host: 'evil.example' }, 'HttpHost'],
    [{ origin: 'https://evil.example' }, 'HttpOrigin'],
    [{ 'sec-fetch-site': 'cross-site' }, 'HttpOrigin'],
  ])('a request with %j is refused', async (headers, code) => {
    const answer = await ask('GET', '/status', { headers });
    expect({ status: answer.status, code: answer.json.error.code }).toEqual({ status: 403, code });
  });

  it('bound to more than loopback, everything needs the token, and the name does not matter', async () => {
    await host.close();
    host = await Host.start({ engine, listen: { host: '0.0.0.0', port: 0 }, token });
    expect(host.isLoopback).toBe(false);
    for (const path of ['/', '/status', '/events', '/metrics', '/nothing']) expect((await ask('GET', path)).status, path).toBe(401);
    expect((await ask('GET', '/status', { headers: { authorization, host: 'rig' } })).status).toBe(200);
  });

  it('headers have a limit', async () => {
    expect((await ask('GET', '/', { headers: { x: 'x'.repeat(20_000) } })).status).toBe(431);
  });
});

describe('the server', () => {
  it('says why it cannot listen', async () => {
    await expect(Host.start({ engine, listen: host.address, token })).rejects.toMatchObject({
      code: 'ListenFailed',
      message: /another program listens there/,
    });
    await expect(Host.start({ engine, listen: { host: '192.0.2.1', port: 0 }, token })).rejects.toMatchObject({
      code: 'ListenFailed',
    });
  });

  it('ends with connections open that nobody uses, also when it is told to twice', async () => {
    const idle = connect(host.address.port, '127.0.0.1');
    await new Promise((resolve) => idle.once('connect', resolve));
    const ended = new Promise((resolve) => idle.once('close', resolve));
    idle.on('error', () => {});
    await host.close();
    await ended;
    await host.close();
  });
});
