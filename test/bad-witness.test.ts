// What the known provers get wrong about witnesses: each is refused, says why, and leaves no proof behind.
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { changed, littleEndian, sectionOf, withSection } from './broken-files.ts';
import { cuzk, errorOf, type Finished, temporaryFolder } from './cuzk.ts';
import { type Fixture, fixture, type Keys, keysOf } from './fixtures.ts';

const r = {
  bn254: 21888242871839275222246405745257275088548364400416034343698204186575808495617n,
  'bls12-381': 52435875175126190479447740508185965837690552500527637822603658699938581184513n,
};

describe.each(['bn254', 'bls12-381'] as const)('over %s', (curve) => {
  const folder = temporaryFolder();
  const out = join(folder, 'out');
  let circuit: Fixture;
  let keys: Keys;
  beforeAll(async () => {
    circuit = await fixture('powers', curve);
    keys = await keysOf(circuit, 'ceremony');
  });

  const prove = (witness: string, ...more: string[]) => cuzk(['prove', keys.zkey, witness, '-o', out, '--json', ...more]);
  /** The witness with signal i set to a value. */
  const withValue = (i: number, value: bigint) =>
    changed(circuit.witness, join(folder, 'changed.wtns'), (bytes) => {
      littleEndian(value, 32).copy(bytes, sectionOf(bytes, 2).offset + 32 * i);
      return bytes;
    });
  function refused(finished: Finished, code: string, message: RegExp): ReturnType<typeof errorOf> {
    const error = errorOf(finished);
    expect([error.code, finished.code, finished.signal]).toEqual([code, 1, null]);
    expect(error.message).toMatch(message);
    expect(finished.stderr).not.toMatch(/^\s+at /m);
    expect(existsSync(join(out, 'proof.json'))).toBe(false);
    return error;
  }

  it('a witness that does not satisfy the circuit gives no proof, and the error says how to find out where', async () => {
    const error = refused(await prove(withValue(5, 12345n)), 'ProofInvalid', /does not satisfy the circuit/);
    expect(error.remedy).toContain('cuzk check');
  });

  it('with the .r1cs the first constraint that fails is named, and with the .sym its signals', async () => {
    const witness = withValue(5, 12345n);
    const plain = refused(await prove(witness, '--r1cs', circuit.r1cs), 'WitnessUnsatisfied', /constraint \d+/);
    expect(plain.message).not.toContain('main.power');
    refused(
      await prove(witness, '--r1cs', circuit.r1cs, '--sym', circuit.sym),
      'WitnessUnsatisfied',
      /constraint \d+.*main\.power\[\d+\]/s,
    );
  });

  it('the .r1cs and .sym are found beside the key', async () => {
    const beside = join(folder, 'beside');
    mkdirSync(beside);
    for (const [from, name] of [
      [keys.zkey, 'c.zkey'],
      [circuit.r1cs, 'c.r1cs'],
      [circuit.sym, 'c.sym'],
    ] as const) {
      copyFileSync(from, join(beside, name));
    }
    const finished = await cuzk(['prove', join(beside, 'c.zkey'), withValue(5, 12345n), '-o', out, '--json']);
    refused(finished, 'WitnessUnsatisfied', /constraint \d+.*main\.power\[\d+\]/s);
  });

  it('`cuzk check` names the constraint too', async () => {
    const finished = await cuzk(['check', circuit.r1cs, withValue(5, 12345n), circuit.sym, '--json']);
    expect(finished.code).toBe(1);
    expect(finished.stdout + finished.stderr).toMatch(/main\.power\[\d+\]/);
  });

  it("a value not below the field's modulus is refused by its number", async () => {
    for (const value of [r[curve], r[curve] + 5n, (1n << 256n) - 1n]) {
      refused(await prove(withValue(3, value)), 'WitnessNotReduced', /\b3\b/);
      refused(await prove(withValue(3, value), '--r1cs', circuit.r1cs), 'WitnessNotReduced', /\b3\b/);
    }
  });

  it('a first value other than the constant 1 is refused', async () => {
    refused(await prove(withValue(0, 2n)), 'WitnessFirstNotOne', /./);
  });

  it('a truncated witness is refused wherever it ends, with the place in the file', async () => {
    const whole = readFileSync(circuit.witness);
    const file = join(folder, 'truncated.wtns');
    for (const length of [
      whole.length - 1,
      whole.length - 32,
      sectionOf(whole, 2).offset,
      sectionOf(whole, 2).offset - 5,
      30,
      12,
    ]) {
      writeFileSync(file, whole.subarray(0, length));
      const error = refused(await prove(file), 'WtnsTruncated', /./);
      expect([error.file, typeof error.offset]).toEqual([file, 'number']);
    }
  });

  it('a witness of another circuit or of another curve is refused by that name', async () => {
    refused(await prove((await fixture('single', curve)).witness), 'WitnessOfOtherCircuit', /\d+/);
    const other = await fixture('powers', curve === 'bn254' ? 'bls12-381' : 'bn254');
    refused(await prove(other.witness), 'WitnessOfOtherCurve', /bls12-381/);
  });

  it('a key of another circuit with the same counts is named as the one at fault, where the .r1cs clears the witness', async () => {
    const [single, shifted] = [await fixture('single', curve), await fixture('shifted', curve)];
    const { zkey } = await keysOf(single, 'setup');
    const args = ['prove', zkey, shifted.witness, '-o', out, '--json'];
    refused(await cuzk(args), 'ProofInvalid', /does not satisfy the circuit of this key/);
    const error = refused(await cuzk([...args, '--r1cs', shifted.r1cs]), 'ProofInvalid', /although the witness satisfies/);
    expect(error.remedy).toContain('another circuit');
    refused(await cuzk([...args, '--r1cs', single.r1cs]), 'WitnessUnsatisfied', /constraint 0/);
  });

  it('random bytes, an empty file and a file of another format are refused with what they are', async () => {
    const file = join(folder, 'random.wtns');
    writeFileSync(file, Buffer.from(Array.from({ length: 5000 }, (_, i) => (i * i * 7 + 3 * i) & 255)));
    refused(await prove(file), 'WtnsNotThisFormat', /./);
    writeFileSync(file, '');
    refused(await prove(file), 'WtnsNotThisFormat', /empty/);
    refused(await prove(circuit.r1cs), 'WtnsNotThisFormat', /r1cs/);
  });

  it('a number of values that the file cannot hold is refused at once', async () => {
    for (const count of [0xffff_ffff, 0x8000_0000, 1 << 27, 0]) {
      const file = changed(circuit.witness, join(folder, 'counts.wtns'), (bytes) => {
        bytes.writeUInt32LE(count, sectionOf(bytes, 1).offset + 4 + 32);
        return bytes;
      });
      const finished = await prove(file);
      expect(errorOf(finished).code).toBe('WtnsSectionSize');
      expect(finished.ms).toBeLessThan(10_000);
    }
  });

  it('a value section of an odd size is refused', async () => {
    const file = changed(circuit.witness, join(folder, 'odd.wtns'), (bytes) => {
      const { offset, size } = sectionOf(bytes, 2);
      return withSection(bytes, 2, bytes.subarray(offset, offset + size - 7));
    });
    refused(await prove(file), 'WtnsSectionSize', /./);
  });
});
