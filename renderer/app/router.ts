import type { Component } from 'vue';
import { createRouter, createWebHashHistory, type Router } from 'vue-router';

export interface Screen {
  path: string;
  name: string;
  /** What stands on the screen's link, in the palette and in the window's title. */
  title: string;
  /** Pressed after G. */
  key: string;
  load: () => Promise<{ default: Component }>;
}

/** The screens in the order of the rail. Each is a chunk of its own: the first one does not wait for the others. */
export const screens: readonly Screen[] = [
  { path: '/', name: 'now', title: 'Now', key: 'n', load: () => import('../views/NowView.vue') },
  { path: '/timeline', name: 'timeline', title: 'Timeline', key: 't', load: () => import('../views/TimelineView.vue') },
  { path: '/prove', name: 'prove', title: 'Prove', key: 'p', load: () => import('../views/ProveView.vue') },
  { path: '/circuits', name: 'circuits', title: 'Circuits', key: 'c', load: () => import('../views/CircuitsView.vue') },
  { path: '/settings', name: 'settings', title: 'Settings', key: 's', load: () => import('../views/SettingsView.vue') },
];

/** The address is in the hash: the page may be served by a private protocol that knows one document. */
export function makeRouter(): Router {
  const router = createRouter({
    history: createWebHashHistory(),
    routes: [
      ...screens.map(({ path, name, load, title }) => ({ path, name, component: load, meta: { title } })),
      { path: '/:other(.*)*', redirect: '/' },
    ],
  });
  router.afterEach(({ meta }) => {
    document.title = `${meta.title} - cuzk`;
  });
  return router;
}
