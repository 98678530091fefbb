// What the runtime starts when no app is built in: loads the folder that the command line names, as Electron's own default app does.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { app } from 'electron';

const require = createRequire(import.meta.url);
const asked = process.argv.indexOf('-r');
// Playwright's, which takes its own arguments away.
if (asked > 0) require(process.argv[asked + 1]);

const folder = resolve(process.argv.slice(1).find((argument) => !argument.startsWith('-')) ?? '.');
const { main, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
app.setAppPath(folder);
app.setVersion(version ?? '0.0.0');
await import(pathToFileURL(join(folder, main)).href);
