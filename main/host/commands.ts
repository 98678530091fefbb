// The commands of the contract as requests. All of them need the token: they read files by path.
import { isTerminalJob, jobOf, partitionsOf } from '../contract/state.ts';
import { type Answer, json } from './answers.ts';
import type { HostedEngine } from './engine-face.ts';
import { requireCommand } from './request-body.ts';
import { ageMs } from './status-projection.ts';

/** Jobs: 201 for a new one, 200 for one that was there. */
function submitted({ job, attached }: { job: string; attached: boolean }): Answer {
  return json({ job, attached }, attached ? 200 : 201, { location: `/jobs/${encodeURIComponent(job)}` });
}

export async function submit(engine: HostedEngine, body: unknown): Promise<Answer> {
  return submitted(await engine.submit(requireCommand('submit', body)));
}

export async function retry(engine: HostedEngine, id: string, body: unknown): Promise<Answer> {
  // The job stands in the path; the body may only add to it.
  const { job, requestKey } = requireCommand('retry', { ...(body as object), job: id });
  return submitted(await engine.retry(job, requestKey));
}

export async function cancel(engine: HostedEngine, id: string): Promise<Answer> {
  const { job } = requireCommand('cancel', { job: id });
  return json({ ended: engine.cancel(job) });
}

export async function preload(engine: HostedEngine, body: unknown): Promise<Answer> {
  const { circuit, device } = requireCommand('preload', body);
  return json({ devices: await engine.preload(circuit, device) });
}

export async function evict(engine: HostedEngine, body: unknown): Promise<Answer> {
  const { circuit, device } = requireCommand('evict', body);
  return json({ devices: engine.evict(circuit, device) });
}

/** How a job stands, and what has come of it when it has ended; also of one that the live state has forgotten, if the engine has it. */
export async function job(engine: HostedEngine, id: string, now: number): Promise<Answer> {
  requireCommand('cancel', { job: id });
  const state = engine.snapshot();
  const known = jobOf(state, id);
  const about = { seq: state.seq, at: state.at, ageMs: ageMs(state, now) };
  const shown = known ? { ...known, partitions: partitionsOf(known) } : null;
  if (known && !isTerminalJob(known.phase)) return json({ ...about, job: shown });
  const { end, proofs, error } = await engine.await(id);
  return json({ ...about, job: shown, end, proofs, ...(error ? { error } : {}) });
}
