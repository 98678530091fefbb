// `npm run bench:page [-- --seconds 60] [--json]`: what the page costs in a real Chromium (test/page/page-cost.ts).
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../build/paths.mjs';
import { buildRenderer } from '../build/renderer.mjs';
import { findChromium, launch } from '../test/page/browser.ts';
import { firstScreen, screenCost } from '../test/page/page-cost.ts';
import { serveFolder } from '../test/page/serve-folder.ts';

const { values } = parseArgs({
  options: { json: { type: 'boolean', default: false }, seconds: { type: 'string', default: '20' } },
});
const chromium = findChromium();
if (!chromium) throw new Error('there is no Chromium: apt-get install chromium');
await buildRenderer('demo');
const browser = await launch(chromium);
await using demo = await serveFolder(join(root, 'dist', 'demo'));
const costs = [];
for (const [screen, path] of [
  ['Now', '/'],
  ['Timeline', '/timeline'],
])
  costs.push(await screenCost(browser, demo.url, screen, path, Number(values.seconds)));
const first = await firstScreen(browser);
await browser.close();
if (values.json) console.log(JSON.stringify({ costs, first }));
else {
  console.log(
    '| screen | seconds | pictures/s | longest task | tasks over 50 ms | heap, MiB |\n| --- | ---: | ---: | ---: | ---: | ---: |',
  );
  for (const {
    screen,
    seconds,
    framesPerSecond,
    longestTaskMs,
    longTasks,
    heapMiB: [begin, end],
  } of costs)
    console.log(
      `| ${screen} | ${seconds} | ${framesPerSecond.toFixed(1)} | ${longTasks === 0 ? 'under 50 ms' : `${longestTaskMs.toFixed(0)} ms`} | ${longTasks} | ${begin.toFixed(1)} -> ${end.toFixed(1)} |`,
    );
  console.log(
    `\nfirst screen: ${first.startMs.toFixed(0)} ms until the host serves, ${first.openMs.toFixed(0)} ms more until workers are shown`,
  );
}
