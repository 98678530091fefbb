// Where the timeline's spans come from: the live engine, or the stored events of a past job.
import { computed, onScopeDispose, type ShallowRef, shallowRef, watch } from 'vue';
import type { EngineEvent } from '../../main/contract/events.ts';
import { jobsOf } from '../../main/contract/state.ts';
import { useEngine } from '../store/engine.ts';
import { SpanRecorder, spansFromEvents } from './spans-from-events.ts';

export interface Timeline {
  /** Replaced when the events begin anew; its own changes are told by its version. */
  recorder: ShallowRef<SpanRecorder>;
  /** Where open spans end, in monotonic milliseconds; stands still while nothing is heard. */
  now: () => number;
  /** What the axis counts from. */
  zero: () => number;
  isLive: () => boolean;
  isStale: () => boolean;
}

/** `events`: of a past job, from the engine's start or with its workers' registration; undefined for the live engine. */
export function useTimeline(events: () => readonly EngineEvent[] | undefined): Timeline {
  const engine = useEngine();
  const recorder = shallowRef(new SpanRecorder());
  let untap: (() => void) | undefined;
  let heldAt = 0;

  watch(
    events,
    (past) => {
      untap?.();
      untap = undefined;
      if (past) {
        recorder.value = spansFromEvents(past);
        return;
      }
      untap = engine.tap({
        reset: (state) => {
          recorder.value = new SpanRecorder(state);
        },
        apply: (event, state) => recorder.value.take(event, state),
      });
    },
    { immediate: true },
  );
  onScopeDispose(() => untap?.());

  const isPast = computed(() => events() !== undefined);
  return {
    recorder,
    isLive: () => !isPast.value,
    isStale: () => !isPast.value && engine.freshness === 'stale',
    now: () => {
      if (isPast.value) return recorder.value.state.at;
      if (engine.freshness === 'live') heldAt = Math.max(engine.exactNow(), recorder.value.state.at);
      return heldAt || recorder.value.state.at;
    },
    zero: () => (isPast.value ? jobsOf(recorder.value.state)[0]?.submittedAt : undefined) ?? recorder.value.beginsAt,
  };
}
