import '../styles/tokens.css';
import '../styles/base.css';
import { createPinia } from 'pinia';
import { createApp } from 'vue';
import * as z from 'zod';
import { useAbout } from '../store/about.ts';
import { useActivity } from '../store/activity.ts';
import { useEngine } from '../store/engine.ts';
import { applyTheme } from '../theme/theme.ts';
import type { Connection } from '../transport/connection.ts';
import App from './App.vue';
import { makeRouter } from './router.ts';

// Zod would try whether it may compile its checks by eval, which the page's policy forbids and reports.
z.config({ jitless: true });

/** Shows the app in #app, on the engine behind `connection`. */
export function mount(connection: Connection): void {
  const app = createApp(App);
  app.use(createPinia());
  app.use(makeRouter());
  applyTheme();
  // Before anything is heard: a worker's last minute begins with the first event.
  useActivity();
  useEngine().follow(connection);
  useAbout();
  app.mount('#app');
}
