// snarkjs's files: verification_key.json, proof.json, public.json. Written byte for byte as snarkjs writes them; read strictly.
// Shapes: snarkjs src/zkey_export_verificationkey.js and src/groth16_prove.js; points are projective, numbers decimal strings.
import { CuzkError } from '../contract/errors.ts';
import type { CurveName, G1Json, G2Json, ProofJson, VerificationKeyJson } from '../prover/prover.ts';
import { type CurveNumbers, curveByAnyName, curves } from './curves.ts';
import { describe, readJson } from './json-files.ts';

/** What is being read, for messages. */
interface Source {
  file: string;
  what: string;
}

function refuse(source: Source, code: string, path: string, message: string): never {
  const place = path === '' ? '' : `${path}: `;
  throw new CuzkError(code, `${place}${message}`, {
    file: source.file,
    remedy: `check that this is the ${source.what} of this circuit`,
  });
}

function object(source: Source, value: unknown): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  return refuse(source, 'JsonShape', '', `a ${source.what} is an object, and this is ${describe(value)}`);
}

function list(source: Source, path: string, value: unknown, length?: number): unknown[] {
  if (!Array.isArray(value)) return refuse(source, 'JsonShape', path, `a list is needed, and this is ${describe(value)}`);
  if (length !== undefined && value.length !== length) {
    return refuse(source, 'JsonShape', path, `a list of ${length} is needed, and this is ${describe(value)}`);
  }
  return value;
}

function number(source: Source, path: string, value: unknown, modulus: bigint, field: string): string {
  // 120 digits hold every number of both curves; the limit keeps a hostile file from costing time.
  if (typeof value !== 'string' || !/^(0|[1-9][0-9]{0,119})$/.test(value)) {
    return refuse(source, 'JsonNumber', path, `a decimal number in quotes is needed, and this is ${describe(value)}`);
  }
  if (BigInt(value) >= modulus)
    return refuse(source, 'JsonNumber', path, `${describe(value)} is not below the modulus of the ${field}`);
  return value;
}

const isInfinity = (z: string) => z === '0';

function g1(source: Source, path: string, value: unknown, { p }: CurveNumbers): G1Json {
  const [x, y, z] = list(source, path, value, 3).map((part, i) => number(source, `${path}[${i}]`, part, p, 'base field')) as G1Json;
  if (z !== '1' && !isInfinity(z))
    refuse(source, 'JsonNumber', `${path}[2]`, 'the last coordinate of a point is "1", or "0" at infinity');
  return [x, y, z];
}

function g2(source: Source, path: string, value: unknown, { p }: CurveNumbers): G2Json {
  const pairs = list(source, path, value, 3).map((pair, i) =>
    list(source, `${path}[${i}]`, pair, 2).map((part, j) => number(source, `${path}[${i}][${j}]`, part, p, 'base field')),
  ) as G2Json;
  const [c0, c1] = pairs[2];
  if ((c0 !== '1' && !isInfinity(c0)) || c1 !== '0') {
    refuse(source, 'JsonNumber', `${path}[2]`, 'the last coordinate of a point is ["1", "0"], or ["0", "0"] at infinity');
  }
  return pairs;
}

function protocol(source: Source, value: unknown): void {
  if (value !== 'groth16') refuse(source, 'JsonProtocol', 'protocol', `"groth16" is needed, and this is ${describe(value)}`);
}

function curve(source: Source, value: unknown): CurveName {
  const name = curveByAnyName(value);
  return name ?? refuse(source, 'JsonCurve', 'curve', `"bn128" or "bls12381" is needed, and this is ${describe(value)}`);
}

/** Reads a verification_key.json. `insecure` says why proofs under this key can be forged, as far as the key shows it. */
export async function readVerificationKey(
  file: string,
): Promise<{ curve: CurveName; vkey: VerificationKeyJson; insecure: string | undefined }> {
  const source = { file, what: 'verification key' };
  const json = object(source, await readJson(file, 'verification key'));
  protocol(source, json.protocol);
  const name = curve(source, json.curve);
  const numbers = curves[name];
  const ic = list(source, 'IC', json.IC);
  if (!Number.isSafeInteger(json.nPublic) || json.nPublic !== ic.length - 1) {
    refuse(
      source,
      'JsonShape',
      'nPublic',
      `it must be one less than the length of IC, ${ic.length}, and this is ${describe(json.nPublic)}`,
    );
  }
  const vkey: VerificationKeyJson = {
    protocol: 'groth16',
    curve: numbers.snarkjsName,
    nPublic: json.nPublic as number,
    vk_alpha_1: g1(source, 'vk_alpha_1', json.vk_alpha_1, numbers),
    vk_beta_2: g2(source, 'vk_beta_2', json.vk_beta_2, numbers),
    vk_gamma_2: g2(source, 'vk_gamma_2', json.vk_gamma_2, numbers),
    vk_delta_2: g2(source, 'vk_delta_2', json.vk_delta_2, numbers),
    IC: ic.map((point, i) => g1(source, `IC[${i}]`, point, numbers)),
  };
  const isUncontributed = JSON.stringify(vkey.vk_gamma_2) === JSON.stringify(vkey.vk_delta_2);
  const insecure = isUncontributed
    ? 'gamma equals delta: no phase 2 contribution was made, so anybody can forge proofs'
    : undefined;
  return { curve: name, vkey, insecure };
}

/** Reads a proof.json for a key of the given curve. A proof without a `curve`, as rapidsnark writes it, is taken to be of the key's. */
export async function readProof(file: string, keyCurve: CurveName): Promise<ProofJson> {
  const source = { file, what: 'proof' };
  const json = object(source, await readJson(file, 'proof'));
  protocol(source, json.protocol);
  if (json.curve !== undefined && curve(source, json.curve) !== keyCurve) {
    refuse(source, 'CurveMismatch', 'curve', `the proof is of ${describe(json.curve)}, the key of ${keyCurve}`);
  }
  const numbers = curves[keyCurve];
  return {
    pi_a: g1(source, 'pi_a', json.pi_a, numbers),
    pi_b: g2(source, 'pi_b', json.pi_b, numbers),
    pi_c: g1(source, 'pi_c', json.pi_c, numbers),
    protocol: 'groth16',
    curve: numbers.snarkjsName,
  };
}

/** Reads a public.json: as many numbers of the key's scalar field as the key has public signals. */
export async function readPublicSignals(file: string, keyCurve: CurveName, count: number): Promise<string[]> {
  const source = { file, what: 'list of public signals' };
  const signals = list(source, '', await readJson(file, 'list of public signals'));
  if (signals.length !== count) {
    refuse(
      source,
      'PublicCount',
      '',
      `the key has ${count} public ${count === 1 ? 'signal' : 'signals'}, and this file has ${signals.length}`,
    );
  }
  return signals.map((value, i) => number(source, `[${i}]`, value, curves[keyCurve].r, 'scalar field'));
}

/** A value as snarkjs writes it to a file: one space per level, no line end. */
export const snarkjsText = (value: unknown) => JSON.stringify(value, null, 1);
