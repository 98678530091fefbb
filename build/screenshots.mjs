// Pictures of every screen for people to look at: `npm run screenshots -- FOLDER`. Light and dark, on a large and a small window.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { findChromium, launch } from '../test/page/browser.ts';
import { serveFolder } from '../test/page/serve-folder.ts';
import { root } from './paths.mjs';
import { buildRenderer } from './renderer.mjs';

/** Each screen's name, address, and what is done there before the picture. */
const scenes = [
  ['now', '?at=12000#/'],
  ['now-later', '?at=23500#/'],
  ['now-empty', '?scenario=empty#/'],
  ['now-load', '?scenario=load#/'],
  ['prove', '?at=12000#/prove'],
  ['circuits', '?at=12000#/circuits'],
  ['circuits-empty', '?scenario=empty#/circuits'],
  ['settings', '?at=12000#/settings'],
  ['palette', '?at=12000#/', ['Control+k', 'c']],
  ['shortcuts', '?at=12000#/', ['?']],
];
const windows = [
  { width: 1440, height: 900 },
  { width: 1024, height: 700 },
];

const folder = process.argv[2] ?? join(root, 'dist', 'screenshots');
const only = process.argv[3];
const executable = findChromium();
if (!executable) throw new Error('there is no Chromium: apt-get install chromium');
mkdirSync(folder, { recursive: true });
await buildRenderer('demo');
await using demo = await serveFolder(join(root, 'dist', 'demo'));
const browser = await launch(executable);
for (const colorScheme of ['light', 'dark']) {
  for (const viewport of windows) {
    const page = await browser.newPage({ viewport, colorScheme });
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') console.error(message.text());
    });
    page.on('pageerror', (problem) => console.error(problem));
    for (const [name, address, keys = []] of scenes) {
      if (only && !name.startsWith(only)) continue;
      await page.goto('about:blank');
      await page.goto(`${demo.url}/demo/demo.html${address}`);
      await page.waitForSelector('main :is(section, form, p)');
      for (const key of keys) await page.keyboard.press(key);
      await page.waitForTimeout(address.includes('load') ? 4000 : 700);
      await page.screenshot({ path: join(folder, `${name}-${colorScheme}-${viewport.width}.png`) });
    }
    await page.close();
  }
}
await browser.close();
