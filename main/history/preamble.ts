// What an engine said before anybody listened, told from its state.
import type { EngineEvent, EngineEventBody } from '../contract/events.ts';
import type { EngineState } from '../contract/state.ts';

/** The events that make the workers, devices and circuits of a state, with the numbers before its own. */
export function preambleOf({
  seq,
  at,
  startedAt,
  startedWallMs,
  devices,
  budgetBytes,
  workers,
  circuits,
}: EngineState): EngineEvent[] {
  if (seq === 0) return [];
  const registered = workers.map(({ worker, kind, device }) => ({ worker, kind, ...(device === undefined ? {} : { device }) }));
  const bodies: EngineEventBody[] = [
    ...(startedWallMs ? [{ type: 'engineStarted' as const, budgetBytes, devices: [...devices], wallMs: startedWallMs }] : []),
    { type: 'workersRegistered', workers: registered, wallMs: startedWallMs },
    ...Object.values(circuits).map((about) => ({ type: 'circuitOpened' as const, ...about })),
  ];
  return bodies.map(
    (body, i) => ({ ...body, seq: Math.max(0, seq - bodies.length + 1 + i), at: i === 0 ? startedAt : at }) as EngineEvent,
  );
}
