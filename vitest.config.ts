import vue from '@vitejs/plugin-vue';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  plugins: [vue()],
  test: {
    include: [
      'main/**/*.test.ts',
      'renderer/**/*.test.ts',
      'test/**/*.test.ts',
      'native/**/*.test.ts',
      'bench/**/*.test.ts',
      'build/**/*.test.ts',
    ],
    // Those in Electron have a configuration of their own, beside them.
    exclude: ['**/node_modules/**', 'native/build/**', 'test/electron/**'],
    // Proofs run on all cores by themselves; two test files side by side would only wait for each other.
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    silent: 'passed-only',
  },
});
