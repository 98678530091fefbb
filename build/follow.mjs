// A script that only starts another: it ends when that one does, with its exit code, and passes on what ends them.

/** Resolves with the exit code of a child that has this process's terminal. */
export function follow(child) {
  // Ctrl-C reaches the child by itself; this process only waits for it. A termination comes to this process alone, and so
  // may the end of the terminal.
  process.on('SIGINT', () => {});
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  return new Promise((resolve) => child.on('close', (code) => resolve(code ?? 1)));
}
