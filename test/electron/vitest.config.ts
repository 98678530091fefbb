// The tests in a real Electron: one window after the other, all on one screen.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: `${import.meta.dirname}/../..`,
    include: ['test/electron/**/*.test.ts'],
    globalSetup: `${import.meta.dirname}/set-up.mjs`,
    pool: 'forks',
    maxWorkers: 1,
    // A runtime that is not here yet is brought and unpacked first.
    hookTimeout: 60_000,
    testTimeout: 60_000,
    silent: 'passed-only',
  },
});
