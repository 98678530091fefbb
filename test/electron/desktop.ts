// The desktop app in a real Electron, as a test starts, asks and ends it.
import type { ConsoleMessage, ElectronApplication, Page } from 'playwright-core';
import { _electron } from 'playwright-core';
import { inject } from 'vitest';
import { channels } from '../../main/contract/bridge.ts';
import { CuzkError } from '../../main/contract/errors.ts';
import type { Request, RequestName, RequestResults } from '../../main/contract/requests.ts';
import type { HostMessage } from '../../main/contract/wire.ts';

/** What set-up.mjs found. */
export interface Runtime {
  /** Why there is none. */
  why?: string;
  program: string;
  /** The folder of the app. */
  app: string;
  /** Electron's own, of the version that the app is made for. */
  isOwn: boolean;
  version: string;
  /** The screen; undefined where the system has one. */
  display?: string;
}
declare module 'vitest' {
  interface ProvidedContext {
    electron: Runtime;
  }
}

export const runtime: Runtime = inject('electron');
export const isMissing: boolean = runtime.why !== undefined;

export const isRoot = process.getuid?.() === 0;
/** Chromium refuses to give root a sandbox; a test of its own runs as an ordinary user. */
export const asRoot: string[] = isRoot ? ['--no-sandbox'] : [];

export interface DesktopOptions {
  /** CUZK_HOME. */
  home: string;
  program?: string;
  args?: string[];
  env?: Record<string, string>;
}

/** The environment of an app of the test's own. */
export function environment(home: string): Record<string, string> {
  const inherited = Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return {
    ...Object.fromEntries(inherited),
    ...(runtime.display ? { DISPLAY: runtime.display } : {}),
    CUZK_HOME: home,
    // Not the person's own, if a person runs this.
    WAYLAND_DISPLAY: '',
    DBUS_SESSION_BUS_ADDRESS: 'disabled:',
  };
}

interface Tapped {
  answers: Map<number, HostMessage>;
}

export class Desktop implements AsyncDisposable {
  readonly app: ElectronApplication;
  readonly page: Page;
  /** Errors that the page met. */
  readonly problems: string[] = [];
  /** What the app wrote to its terminal. */
  said = '';
  #ids = 1e9;

  private constructor(app: ElectronApplication, page: Page) {
    this.app = app;
    this.page = page;
    page.on('console', (message: ConsoleMessage) => {
      if (message.type() === 'error') this.problems.push(message.text());
    });
    page.on('pageerror', (problem) => this.problems.push(String(problem)));
    for (const stream of [app.process().stdout, app.process().stderr])
      stream!.setEncoding('utf8').on('data', (text) => {
        this.said += text;
      });
  }

  /** Starts the app; its window is there, its page has drawn. */
  static async open({ home, program = runtime.program, args = [], env = {} }: DesktopOptions): Promise<Desktop> {
    const app = await _electron.launch({
      executablePath: program,
      args: [...asRoot, ...args, runtime.app],
      env: { ...environment(home), ...env },
      timeout: 30_000,
    });
    const page = await app.firstWindow();
    const desktop = new Desktop(app, page);
    await desktop.#tap();
    await page.getByRole('main').waitFor();
    return desktop;
  }

  /** Asks what the page may ask, over the page's own bridge; the page hears nothing of it. */
  async ask<N extends RequestName>(name: N, payload: Request<N>): Promise<RequestResults[N]> {
    const answer = await this.answerTo(name, payload);
    if (answer.type !== 'refusal') return (answer as { result: RequestResults[N] }).result;
    const { code, message, ...details } = answer.error;
    throw new CuzkError(code, message, details);
  }

  /** What the host says to a request, whatever it is. */
  async answerTo(name: string, payload: unknown): Promise<Extract<HostMessage, { id: number }>> {
    const id = this.#ids++;
    await this.send({ type: 'ask', id, name, payload });
    const text = await this.app.evaluate(async (_, wanted) => {
      const { answers } = (globalThis as unknown as { tapped: Tapped }).tapped;
      while (!answers.has(wanted)) await new Promise((resolve) => setTimeout(resolve, 10));
      return JSON.stringify(answers.get(wanted));
    }, id);
    return JSON.parse(text);
  }

  /** Sends a message over the page's bridge. */
  async send(message: unknown): Promise<void> {
    await this.page.evaluate((text) => {
      (window as unknown as { cuzk: { send: (text: string) => void } }).cuzk.send(text);
    }, JSON.stringify(message));
  }

  /** As the window's own button closes it; resolves when the app has ended, with its exit code. */
  async close(): Promise<number | null> {
    const ended = this.ended();
    await this.app.evaluate(({ BrowserWindow }) => {
      // Not at once: the answer to this must still come through.
      setTimeout(() => BrowserWindow.getAllWindows()[0]!.close(), 0);
    });
    return await ended;
  }

  ended(): Promise<number | null> {
    const child = this.app.process();
    return new Promise((resolve) => {
      if (child.exitCode !== null) resolve(child.exitCode);
      else child.once('exit', resolve);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const child = this.app.process();
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = this.ended();
    child.kill('SIGKILL');
    await ended;
  }

  /** Keeps the answers to this test's own requests. */
  async #tap(): Promise<void> {
    await this.app.evaluate(({ BrowserWindow }, channel) => {
      const answers: Tapped['answers'] = new Map();
      Object.assign(globalThis, { tapped: { answers } });
      const contents = BrowserWindow.getAllWindows()[0]!.webContents;
      const send = contents.send.bind(contents);
      contents.send = (name: string, ...values: unknown[]) => {
        if (name === channel) {
          const message = JSON.parse(values[0] as string) as HostMessage;
          if ('id' in message && message.id >= 1e9) answers.set(message.id, message);
        }
        send(name, ...values);
      };
    }, channels.host);
  }
}
