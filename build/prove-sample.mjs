// `npm run sample`: proves the bundled sample and says where the proofs are.
import { relative } from 'node:path';
import { root } from './paths.mjs';
import { proofsFolder, proveSample } from './sample.mjs';
import { main } from './say.mjs';

await main(async () => {
  console.log('\nProving the sample: sixteen leaves of a Merkle tree, one proof each.\n');
  const { counts, code } = await proveSample({ quiet: false });
  if (code !== 0) return code;
  const folder = relative(root, proofsFolder);
  console.log(`
${counts.passed} proofs verified again by \`cuzk verify\`; they are in ${folder}/0/ to ${folder}/${counts.passed - 1}/ (proof.json, public.json).

Prove something of your own:
  npm run -s cuzk -- prove circuit.zkey witness.wtns
  npm run -s cuzk -- --help`);
  return 0;
});
