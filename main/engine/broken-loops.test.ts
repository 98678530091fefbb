// The engine with loops that break: no job waits for ever for a worker that is not there.
import { expect, it, vi } from 'vitest';
import { jobRequest, simulatedEngine } from './simulated-engine.ts';

const breaks = vi.hoisted(() => ({ synthesis: false, pipelined: false }));
vi.mock('./loops.ts', async (original) => {
  const loops = await original<typeof import('./loops.ts')>();
  const broken = async () => {
    throw new Error('broken');
  };
  return {
    ...loops,
    synthesisLoop: (...all: Parameters<typeof loops.synthesisLoop>) => (breaks.synthesis ? broken() : loops.synthesisLoop(...all)),
    pipelinedLoop: (...all: Parameters<typeof loops.pipelinedLoop>) => (breaks.pipelined ? broken() : loops.pipelinedLoop(...all)),
  };
});

it.each(['synthesis', 'pipelined'] as const)('jobs that wait fail with the reason when every %s worker is gone', async (kind) => {
  Object.assign(breaks, { synthesis: false, pipelined: false, [kind]: true });
  for (const partitions of [1, 9]) {
    const { clock, engine, prover } = simulatedEngine();
    const { job } = await clock.run(engine.submit(jobRequest('w', partitions)));
    const outcome = await clock.run(engine.await(job));
    expect(outcome).toMatchObject({ end: 'failed', error: { code: 'DeviceFault', message: expect.stringContaining('broken') } });
    await expect(engine.submit(jobRequest('w', 1))).rejects.toMatchObject({ code: 'NoDevice' });
    await clock.run(engine.shutdown());
    expect([engine.snapshot().memory, prover.open.size, engine.snapshot().ignored]).toEqual([{}, 0, 0]);
  }
});
