// The desktop app's entry, in Electron's main process. What must be said before Electron is ready stands here; the rest is app.ts.
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { app, dialog } from 'electron';
import { asCuzkError } from '../contract/errors.ts';
import { settingsFile } from '../host/settings.ts';
import { openApp } from './app.ts';
import { confineContents, keepOffline } from './permissions.ts';
import { registerScheme } from './protocol.ts';

/** What Electron keeps of its own, beside the history: one folder, and so one running app, for each history. */
const folder = join(dirname(settingsFile()), 'electron');
mkdirSync(folder, { recursive: true, mode: 0o700 });
app.setPath('userData', folder);
app.setName('cuzk');
registerScheme();
keepOffline();
// Chromium refuses to give root a sandbox; whoever starts it as root has said so.
if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox();
app.on('web-contents-created', (_event, contents) => confineContents(contents));

function fail(problem: unknown): void {
  const { code, message, file, remedy } = asCuzkError(problem);
  const details = [file, remedy && `Try: ${remedy}`].filter(Boolean).join('\n');
  process.stderr.write(`error: ${message} (${code})\n`);
  dialog.showErrorBox('cuzk cannot start', `${message}\n${details}`);
  app.exit(1);
}

// The other one shows its window.
if (!app.requestSingleInstanceLock()) app.exit(0);
else
  app
    .whenReady()
    .then(() => openApp({ folder }))
    .catch(fail);
