// What a proof leaves on disk when it cannot be written as a whole.
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packageRoot } from '../main/package-root.ts';
import { cuzk, errorOf, temporaryFolder } from './cuzk.ts';

const sample = (name: string) => join(packageRoot, 'samples', 'merkle', name);

it('a proof whose public signals cannot be written is not left alone', async () => {
  const folder = temporaryFolder();
  const [witness, proof] = [join(folder, 'w.wtns'), join(folder, 'proof.json')];
  expect((await cuzk(['witness', sample('circuit.wasm'), sample('inputs/0.json'), '-o', witness])).code).toBe(0);
  writeFileSync(join(folder, 'file'), '');
  const signals = join(folder, 'file', 'public.json');
  const finished = await cuzk(['prove', sample('circuit.zkey'), witness, proof, signals, '--json']);
  expect(finished.code).toBe(1);
  expect(errorOf(finished)).toMatchObject({ code: 'FileUnwritable', file: signals });
  expect(readdirSync(folder).sort()).toEqual(['file', 'w.wtns']);
});
