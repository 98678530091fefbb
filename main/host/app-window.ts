// The app in a window of an installed browser, where there is no Electron: a Chromium's window without its own bars.
import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { makeFolder } from '../circuits/write-whole.ts';

const onPath = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge', 'brave-browser'];
const elsewhere = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];

/** The path of an installed Chromium, whoever made it; undefined when there is none. */
export function findBrowser(environment: NodeJS.ProcessEnv = process.env): string | undefined {
  const folders = (environment.PATH ?? '').split(delimiter).filter(Boolean);
  const places = [...onPath.flatMap((name) => folders.map((folder) => join(folder, name))), ...elsewhere];
  return places.find((place) => {
    try {
      accessSync(place, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** Why no window can be shown here; undefined when one can. */
export function noScreen(environment: NodeJS.ProcessEnv = process.env, platform: string = process.platform): string | undefined {
  if (platform === 'win32' || platform === 'darwin' || environment.DISPLAY || environment.WAYLAND_DISPLAY) return undefined;
  return 'there is no screen here (neither DISPLAY nor WAYLAND_DISPLAY is set)';
}

export interface AppWindow {
  browser: string;
  /** Resolves when the window was closed, with what the browser said if it failed. */
  closed: Promise<string | undefined>;
  close(): void;
}

/**
 * Opens the address in a window of its own. `folder` keeps the window's place and size, and a file that leads to the address: it holds the
 * token, which on a command line every user of the machine could read.
 */
export async function openAppWindow(browser: string, app: string, folder: string): Promise<AppWindow> {
  await makeFolder(folder, 0o700);
  const launch = join(folder, 'open.html');
  const target = app.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  await writeFile(
    launch,
    `<!doctype html><meta charset="utf-8"><title>cuzk</title><meta http-equiv="refresh" content="0; url=${target}">\n`,
    {
      mode: 0o600,
    },
  );
  // Chromium's sandbox does not start for root, who needs none to read what is root's.
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox', '--test-type'] : [];
  const quiet = [
    '--no-first-run',
    '--no-default-browser-check',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ];
  const args = [
    `--app=${pathToFileURL(launch)}`,
    `--user-data-dir=${join(folder, 'profile')}`,
    '--class=cuzk',
    ...quiet,
    ...asRoot,
  ];
  const child: ChildProcess = spawn(browser, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr!.setEncoding('utf8').on('data', (text) => {
    said = (said + text).slice(-2000);
  });
  const closed = new Promise<string | undefined>((resolve) => {
    child.on('error', ({ message }) => resolve(message));
    child.on('close', (code) =>
      resolve(code === 0 || code === null ? undefined : said.trim().split('\n').at(-1) || `it ended with ${code}`),
    );
  });
  return { browser, closed, close: () => void child.kill() };
}
