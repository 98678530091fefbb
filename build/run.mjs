// Sets up, then runs a script of this repository on the project's Node: `node build/run.mjs <script> [argument...]`.
import { spawn } from 'node:child_process';
import { delimiter, dirname, join } from 'node:path';
import { follow } from './follow.mjs';
import { projectNode, root } from './paths.mjs';
import { main } from './say.mjs';
import { setUp } from './set-up.mjs';

await main(async () => {
  await setUp();
  const [script, ...args] = process.argv.slice(2);
  const node = projectNode();
  // Programs that the script starts by the name `node` get the same one.
  const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ''}` };
  return follow(spawn(node, [join(root, script), ...args], { cwd: root, env, stdio: 'inherit' }));
});
