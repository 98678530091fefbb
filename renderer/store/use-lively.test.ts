// @vitest-environment happy-dom
import { createPinia, setActivePinia } from 'pinia';
import { expect, it, vi } from 'vitest';
import { effectScope, nextTick } from 'vue';
import type { Connection } from '../transport/connection.ts';
import { useEngine } from './engine.ts';
import { useLively } from './use-lively.ts';

it('events are wanted often while the screen is there and looked at', async () => {
  setActivePinia(createPinia());
  const setLively = vi.fn<(isLively: boolean) => void>();
  const silent: Connection = {
    name: 'test',
    snapshot: () => new Promise(() => {}),
    subscribe: () => () => {},
    setLively,
    request: () => new Promise(() => {}),
  };
  useEngine().follow(silent);
  const scope = effectScope();
  scope.run(useLively);
  const visible = vi.spyOn(document, 'visibilityState', 'get');
  for (const state of ['hidden', 'visible'] as const) {
    visible.mockReturnValue(state);
    document.dispatchEvent(new Event('visibilitychange'));
    await nextTick();
  }
  scope.stop();
  expect(setLively.mock.calls.flat()).toEqual([true, false, true, false]);
});
