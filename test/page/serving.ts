// A real `cuzk serve` in a process of its own, for tests in a browser.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { cliFile } from '../cuzk.ts';

export interface Serving extends AsyncDisposable {
  url: string;
  /** The app's address, with the token. */
  app: string;
  token: string;
  /** SIGKILL: as a crash ends it. */
  kill(): Promise<void>;
  /** As Ctrl-C ends it; the exit code. */
  stop(): Promise<number | null>;
}

/** `home`: CUZK_HOME. `port` 0 is any. */
export async function startServing(home: string, { port = 0, args = [] as string[] } = {}): Promise<Serving> {
  const child: ChildProcess = spawn(process.execPath, [cliFile, 'serve', '--json', '--listen', `127.0.0.1:${port}`, ...args], {
    env: { ...process.env, CUZK_HOME: home },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr!.setEncoding('utf8').on('data', (text) => {
    errors += text;
  });
  const ended = once(child, 'close') as Promise<[number | null]>;
  const lines = createInterface({ input: child.stdout! });
  const serving = await new Promise<{ url: string; app: string }>((resolve, reject) => {
    lines.on('line', (line) => {
      const said = JSON.parse(line);
      if (said.event === 'serving') resolve(said);
    });
    ended.then(([code]) => reject(new Error(`cuzk serve ended with ${code}: ${errors}`)));
  });
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    return (await ended)[0];
  };
  return {
    ...serving,
    token: new URL(serving.app).searchParams.get('token')!,
    kill: async () => void (await end('SIGKILL')),
    stop: () => end('SIGINT'),
    [Symbol.asyncDispose]: async () => void (await end('SIGKILL')),
  };
}
