// Debian's Chromium, driven by Playwright: its own download of a browser is not needed.
import { spawnSync } from 'node:child_process';
import { type Browser, chromium } from 'playwright-core';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** The path of an installed Chromium; undefined when there is none. */
export function findChromium(): string | undefined {
  if (process.env.CUZK_CHROMIUM) return process.env.CUZK_CHROMIUM;
  for (const name of names) {
    const { status, stdout } = spawnSync('which', [name], { encoding: 'utf8' });
    if (status === 0) return stdout.trim();
  }
  return undefined;
}

export async function launch(executablePath: string): Promise<Browser> {
  // Chromium's sandbox refuses to run as root; the pages here are our own.
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  // It asks for nothing by itself: there is nobody to answer, and what the tests see is only what our page does.
  const quiet = [
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--disable-quic',
    '--no-first-run',
  ];
  return await chromium.launch({ executablePath, args: [...asRoot, ...quiet] });
}
