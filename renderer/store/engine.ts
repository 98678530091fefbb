// The page's one copy of the engine's state. Screens read it; only events change it.
import { defineStore } from 'pinia';
import { computed, onScopeDispose, ref, shallowRef } from 'vue';
import type { Request, RequestName, RequestResults } from '../../main/contract/requests.ts';
import { type EngineState, emptyState } from '../../main/contract/state.ts';
import type { Connection } from '../transport/connection.ts';
import { beforePaint } from './before-paint.ts';
import { EngineClock } from './engine-clock.ts';
import { EventFeed, type EventTap } from './event-feed.ts';

/** `paused`: a person holds the picture still; `stale`: nothing was heard for so long that the picture may be wrong. */
export type Freshness = 'connecting' | 'live' | 'paused' | 'stale';

/** Silence that is shown: a host says at least once a second that it is there. */
export const staleMs = 2000;
/** How often what depends on the time is drawn anew: tenths of a second are shown. */
const tickMs = 100;

export const useEngine = defineStore('engine', () => {
  /** What is shown: replaced as a whole, at most once for each picture drawn. */
  const state = shallowRef<EngineState>(emptyState);
  /** The engine's time, for spans that are open; a tenth of a second exact. */
  const now = ref(0);
  const heardAt = ref<number>();
  const pageNow = ref(performance.now());
  const paused = ref(false);
  const problem = ref<string>();
  const connection = shallowRef<Connection>();
  const clock = new EngineClock();
  const taps = new Set<EventTap>();
  let latest = emptyState;
  let feed: EventFeed | undefined;

  /** Milliseconds since anything was heard. */
  const ageMs = computed(() => (heardAt.value === undefined ? undefined : Math.max(0, pageNow.value - heardAt.value)));
  const freshness = computed<Freshness>(() => {
    if (ageMs.value === undefined) return 'connecting';
    if (ageMs.value > staleMs) return 'stale';
    return paused.value ? 'paused' : 'live';
  });

  function show(): void {
    if (!paused.value) state.value = latest;
  }

  /** Shows the engine behind a connection from now on. */
  function follow(to: Connection): void {
    feed?.stop();
    connection.value = to;
    feed = new EventFeed({
      connection: to,
      taps,
      schedule: beforePaint,
      onHeard: () => {
        heardAt.value = performance.now();
        problem.value = undefined;
      },
      onLost: (lost) => {
        problem.value = lost.message;
      },
      onState: (next, snapshot) => {
        if (snapshot) clock.reset(next.at, snapshot.ageMs, performance.now());
        else clock.saw(next.at, performance.now());
        latest = next;
        show();
      },
    });
    feed.start();
  }

  /** Adds a follower of single events; it begins with the latest state. Returns what ends that. */
  function tap(one: EventTap): () => void {
    taps.add(one);
    one.reset(latest);
    return () => taps.delete(one);
  }

  /** Asks the engine; rejects with the refusal as a CuzkError. */
  async function request<N extends RequestName>(name: N, payload: Request<N>): Promise<RequestResults[N]> {
    if (!connection.value) throw new Error('there is no engine to ask');
    return await connection.value.request(name, payload);
  }

  function setPaused(to: boolean): void {
    paused.value = to;
    show();
  }

  /** The engine's time now, exactly: for drawing that moves with every picture. */
  const exactNow = () => clock.at(performance.now());

  const ticking = setInterval(() => {
    pageNow.value = performance.now();
    // A stale picture stands still: seconds that go on counting would say that work goes on.
    if (freshness.value === 'live') now.value = exactNow();
  }, tickMs);
  onScopeDispose(() => {
    clearInterval(ticking);
    feed?.stop();
  });

  return { state, now, exactNow, freshness, ageMs, problem, paused, setPaused, connection, follow, tap, request };
});
