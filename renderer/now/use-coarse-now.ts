import { refThrottled } from '@vueuse/core';
import { type Ref, toRef } from 'vue';
import { useEngine } from '../store/engine.ts';

/** The engine's time in steps of `stepMs`: what is computed from much need not be so ten times a second. */
export function useCoarseNow(stepMs = 1000): Readonly<Ref<number>> {
  const engine = useEngine();
  return refThrottled(
    toRef(() => engine.now),
    stepMs,
  );
}
