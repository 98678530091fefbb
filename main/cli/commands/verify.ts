// cuzk verify: whether a proof is valid for a key and public signals.
import { readProof, readPublicSignals, readVerificationKey } from '../../circuits/snarkjs-json.ts';
import { asCuzkError, CuzkError } from '../../contract/errors.ts';
import type { Context } from '../context.ts';

export async function verify(context: Context, vkeyFile: string, publicFile: string, proofFile: string): Promise<number> {
  const { curve, vkey, insecure } = await readVerificationKey(vkeyFile);
  const publicSignals = await readPublicSignals(publicFile, curve, vkey.nPublic);
  const proof = await readProof(proofFile, curve);
  const prover = await context.prover();
  const valid = await prover.verify(vkey, publicSignals, proof, { signal: context.signal }).catch((problem) => {
    throw asCuzkError(problem, /^Vkey/.test(problem?.code) ? vkeyFile : proofFile);
  });
  if (!valid) {
    throw new CuzkError('VerifyFailed', 'INVALID: the proof does not prove these public signals under this key', {
      file: proofFile,
      remedy: `check that ${vkeyFile}, ${publicFile} and ${proofFile} belong together`,
    });
  }
  if (insecure) context.output.note({ event: 'insecure', reason: insecure }, `warning: INSECURE KEY: ${insecure}`);
  context.output.result(
    { event: 'verified', valid, curve, vkey: vkeyFile, public: publicFile, proof: proofFile },
    'OK: the proof is valid',
  );
  return 0;
}
