import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';

it.each([
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)('%s reaches the program that was started, and its exit code comes back', async (signal, exitCode) => {
  const program = `process.on('${signal}', () => process.exit(${exitCode})); setTimeout(() => {}, 30_000); console.log('up');`;
  const script = `
    import { spawn } from 'node:child_process';
    import { follow } from ${JSON.stringify(join(import.meta.dirname, 'follow.mjs'))};
    process.exitCode = await follow(spawn(process.execPath, ['-e', ${JSON.stringify(program)}], { stdio: 'inherit' }));`;
  const wrapper = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  wrapper.stdout.once('data', () => wrapper.kill(signal));
  // The pipe closes when both have ended: an orphan would keep it open for 30 s.
  const started = performance.now();
  const code = await new Promise((resolve) => wrapper.on('close', resolve));
  expect(code).toBe(exitCode);
  expect(performance.now() - started).toBeLessThan(20_000);
});
