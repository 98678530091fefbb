import { useDocumentVisibility } from '@vueuse/core';
import { onScopeDispose, watchEffect } from 'vue';
import { useEngine } from './engine.ts';

/** As long as the screen is there and looked at, events come as often as pictures are drawn; otherwise less often costs less. */
export function useLively(): void {
  const engine = useEngine();
  const visibility = useDocumentVisibility();
  watchEffect(() => engine.connection?.setLively?.(visibility.value === 'visible'));
  onScopeDispose(() => engine.connection?.setLively?.(false));
}
