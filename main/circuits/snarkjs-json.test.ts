import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { curves } from './curves.ts';
import { inspectJson } from './inspect-json.ts';
import { readProof, readPublicSignals, readVerificationKey, snarkjsText } from './snarkjs-json.ts';
import { writeWhole } from './write-whole.ts';

const folder = mkdtempSync(join(tmpdir(), 'cuzk-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
function file(json: unknown): string {
  const path = join(folder, `${files++}.json`);
  writeFileSync(path, typeof json === 'string' ? json : snarkjsText(json));
  return path;
}

const g1 = ['1', '2', '1'];
const g2 = [
  ['1', '2'],
  ['3', '4'],
  ['1', '0'],
];
const vkey = {
  protocol: 'groth16',
  curve: 'bn128',
  nPublic: 1,
  vk_alpha_1: g1,
  vk_beta_2: g2,
  vk_gamma_2: g2,
  vk_delta_2: g2,
  vk_alphabeta_12: [],
  IC: [g1, ['0', '1', '0']],
};
const proof = { pi_a: g1, pi_b: g2, pi_c: g1, protocol: 'groth16', curve: 'bn128' };

describe('a verification key', () => {
  test('is read under any name of its curve, and goes on under the one that snarkjs uses', async () => {
    for (const curve of ['bn128', 'bn254', 'BN-254', 'altbn128']) {
      expect(await readVerificationKey(file({ ...vkey, curve }))).toMatchObject({
        curve: 'bn254',
        vkey: { curve: 'bn128', IC: vkey.IC },
      });
    }
    expect((await readVerificationKey(file({ ...vkey, curve: 'bls12381' }))).curve).toBe('bls12-381');
  });

  test.each([
    ['JsonSyntax', '', 'empty'],
    ['JsonSyntax', '{"protocol": }', 'not JSON'],
    ['JsonShape', [1], 'a list of 1'],
    ['JsonProtocol', { ...vkey, protocol: 'plonk' }, 'protocol: '],
    ['JsonCurve', { ...vkey, curve: 'secp256k1' }, 'curve: '],
    ['JsonShape', { ...vkey, nPublic: 2 }, 'nPublic: '],
    ['JsonShape', { ...vkey, IC: undefined }, 'IC: '],
    ['JsonShape', { ...vkey, vk_beta_2: [['1', '2']] }, 'vk_beta_2: '],
    ['JsonShape', { ...vkey, vk_beta_2: [['1'], ['1', '2'], ['1', '0']] }, 'vk_beta_2[0]: '],
    ['JsonNumber', { ...vkey, vk_alpha_1: [1, '2', '1'] }, 'vk_alpha_1[0]: '],
    ['JsonNumber', { ...vkey, vk_alpha_1: ['01', '2', '1'] }, 'vk_alpha_1[0]: '],
    ['JsonNumber', { ...vkey, vk_alpha_1: ['-1', '2', '1'] }, 'vk_alpha_1[0]: '],
    ['JsonNumber', { ...vkey, vk_alpha_1: ['1', '2', '3'] }, 'vk_alpha_1[2]: '],
    ['JsonNumber', { ...vkey, IC: [g1, [String(curves.bn254.p), '2', '1']] }, 'IC[1][0]: '],
  ])('is refused as %s: %j', async (code, json, message) => {
    const path = file(json);
    await expect(readVerificationKey(path)).rejects.toMatchObject({ code, file: path, message: expect.stringContaining(message) });
  });

  test('that is not there is told as such', async () => {
    await expect(readVerificationKey('/nowhere.json')).rejects.toMatchObject({ code: 'FileNotFound', file: '/nowhere.json' });
  });
});

describe('a proof', () => {
  test('is read with or without the name of its curve', async () => {
    expect(await readProof(file(proof), 'bn254')).toEqual(proof);
    expect(await readProof(file({ ...proof, curve: undefined }), 'bn254')).toEqual(proof);
  });

  test('of another curve than the key is refused', async () => {
    await expect(readProof(file(proof), 'bls12-381')).rejects.toMatchObject({ code: 'CurveMismatch' });
  });

  test('with a coordinate that is no number below the modulus is refused, with its place', async () => {
    const bad = file({
      ...proof,
      pi_b: [
        ['1', '2'],
        ['3', String(curves.bn254.p)],
        ['1', '0'],
      ],
    });
    await expect(readProof(bad, 'bn254')).rejects.toMatchObject({
      code: 'JsonNumber',
      message: expect.stringContaining('pi_b[1][1]: '),
    });
  });
});

describe('public signals', () => {
  test('are read up to the modulus of the scalar field', async () => {
    const last = String(curves.bn254.r - 1n);
    expect(await readPublicSignals(file([last, '0']), 'bn254', 2)).toEqual([last, '0']);
    await expect(readPublicSignals(file([String(curves.bn254.r)]), 'bn254', 1)).rejects.toMatchObject({ code: 'JsonNumber' });
  });

  test('of another count than the key has are refused', async () => {
    await expect(readPublicSignals(file(['1']), 'bn254', 2)).rejects.toMatchObject({
      code: 'PublicCount',
      message: 'the key has 2 public signals, and this file has 1',
    });
  });
});

describe('a file that is written', () => {
  test('appears in a new folder, whole, with nothing beside it', async () => {
    const path = join(folder, 'a', 'b', 'proof.json');
    await writeWhole(path, snarkjsText(proof));
    await writeWhole(path, snarkjsText(proof));
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(proof);
    expect(readdirSync(join(folder, 'a', 'b'))).toEqual(['proof.json']);
  });

  test('to a place that cannot be is refused with a reason, and does not hang', async () => {
    const taken = file('{}');
    await expect(writeWhole(join(taken, 'x', 'proof.json'), '')).rejects.toMatchObject({ code: 'FileUnwritable' });
    await expect(writeWhole('/proc/nowhere/proof.json', '')).rejects.toMatchObject({ code: 'FileUnwritable' });
    await expect(writeWhole(folder, '')).rejects.toMatchObject({ code: 'FileUnwritable', file: folder });
  });
});

describe("an editor's byte-order mark before the text is no part of it", () => {
  const marked = (json: unknown) => file(`\uFEFF${snarkjsText(json)}`);

  test('for verify', async () => {
    expect((await readVerificationKey(marked(vkey))).curve).toBe('bn254');
    expect(await readProof(marked(proof), 'bn254')).toEqual(proof);
    expect(await readPublicSignals(marked(['1']), 'bn254', 1)).toEqual(['1']);
  });

  test('for inspect', async () => {
    expect(await inspectJson(marked(vkey))).toMatchObject({ format: 'verification_key.json' });
    expect(await inspectJson(marked(proof))).toMatchObject({ format: 'proof.json' });
    expect(await inspectJson(marked(['1']))).toMatchObject({ format: 'public.json' });
  });
});
