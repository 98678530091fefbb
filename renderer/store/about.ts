// What the host says of itself: asked for when the engine is first heard, and again after it was lost, since it may be another.
import { defineStore } from 'pinia';
import { ref, watch } from 'vue';
import type { About } from '../../main/contract/app.ts';
import { useEngine } from './engine.ts';

export const useAbout = defineStore('about', () => {
  const about = ref<About>();
  const engine = useEngine();
  watch(
    () => engine.freshness === 'live',
    async (isLive) => {
      if (!isLive) return;
      // What it is not told the page does without: the sample's button is not there, the version is not shown.
      about.value = await engine.request('about', {}).catch(() => about.value);
    },
    { immediate: true },
  );
  return { about };
});
