// `npm run -s cuzk -- ...`: the command line in the folder where the person stands, set up first when that was never done.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { follow } from './follow.mjs';
import { addonFile, cliFile, projectNode } from './paths.mjs';
import { main } from './say.mjs';
import { setUp } from './set-up.mjs';

await main(async () => {
  if (!existsSync(cliFile) || !existsSync(addonFile)) await setUp();
  // npm changes to the package's folder; paths on the command line are meant from where npm was called.
  if (process.env.npm_lifecycle_event === 'cuzk' && process.env.INIT_CWD) process.chdir(process.env.INIT_CWD);
  if (process.execPath === projectNode() || Number(process.versions.node.split('.')[0]) >= 24) {
    await import(pathToFileURL(cliFile).href);
    return undefined;
  }
  return follow(spawn(projectNode(), [cliFile, ...process.argv.slice(2)], { stdio: 'inherit' }));
});
