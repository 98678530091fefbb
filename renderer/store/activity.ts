// What each worker did in the last minute, from the page's start on, whichever screen is open.
import { defineStore } from 'pinia';
import { onScopeDispose } from 'vue';
import { WorkerActivity } from '../now/worker-activity.ts';
import { useEngine } from './engine.ts';

export const useActivity = defineStore('activity', () => {
  const activity = new WorkerActivity();
  const engine = useEngine();
  onScopeDispose(engine.tap(activity));
  return { sharesOf: (worker: number, now: number) => activity.shares(worker, now) };
});
