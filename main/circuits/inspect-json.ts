// What snarkjs's JSON files hold: the part of `inspect` that needs no native code.
import { open, stat } from 'node:fs/promises';
import { asCuzkError, notAFile } from '../contract/errors.ts';
import { curveByAnyName } from './curves.ts';
import { readJson } from './json-files.ts';
import { readProof, readPublicSignals, readVerificationKey } from './snarkjs-json.ts';

export interface JsonInspection {
  format: 'verification_key.json' | 'proof.json' | 'public.json';
  curve?: string;
  nPublic?: number;
  insecure?: string;
  fileBytes: number;
}

/** Whether a file begins as a JSON object or list does. */
async function looksLikeJson(file: string): Promise<boolean> {
  try {
    const stats = await stat(file);
    if (!stats.isFile() && !stats.isDirectory()) throw notAFile(file);
    await using handle = await open(file);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(64), 0, 64, 0);
    // A byte-order mark counts as white space here.
    return /^\s*[[{]/.test(buffer.subarray(0, bytesRead).toString('utf8'));
  } catch (problem) {
    throw asCuzkError(problem, file);
  }
}

/** Reads the file as strictly as `verify` does; undefined when it is none of snarkjs's JSON files. */
export async function inspectJson(file: string): Promise<JsonInspection | undefined> {
  if (!(await looksLikeJson(file))) return undefined;
  const json = await readJson(file, 'JSON file of snarkjs');
  const { size: fileBytes } = await stat(file);
  if (Array.isArray(json)) {
    // The file does not say its curve; the larger field takes the numbers of both.
    await readPublicSignals(file, 'bls12-381', json.length);
    return { format: 'public.json', nPublic: json.length, fileBytes };
  }
  const object = json as Record<string, unknown>;
  if ('pi_a' in object) {
    const curve = curveByAnyName(object.curve ?? 'bn128') ?? 'bn254';
    await readProof(file, curve);
    return { format: 'proof.json', curve, fileBytes };
  }
  if (!('vk_alpha_1' in object)) return undefined;
  const { curve, vkey, insecure } = await readVerificationKey(file);
  return { format: 'verification_key.json', curve, nPublic: vkey.nPublic, ...(insecure && { insecure }), fileBytes };
}
