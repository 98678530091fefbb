// `npm start`: opens the app. In Electron where its own runtime can be had, else in a window of an installed Chromium, else by its address; it
// says which, and why.
import { spawn } from 'node:child_process';
import { follow } from './follow.mjs';
import { cliFile, projectNode, root } from './paths.mjs';
import { main } from './say.mjs';

await main(async () => follow(spawn(projectNode(), [cliFile, 'app', ...process.argv.slice(2)], { cwd: root, stdio: 'inherit' })));
