// Keys that crash, hang or betray the known provers: each is refused at once, says why, and never proves.
import { copyFileSync, existsSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { changed, outsideSubgroup, sectionOf, withSection, zkeyPlaces } from './broken-files.ts';
import { cuzk, errorOf, eventsOf, type Finished, temporaryFolder } from './cuzk.ts';
import { type Fixture, fixture, type Keys, keysOf } from './fixtures.ts';

const sections = { IC: 3, A: 5, B1: 6, B2: 7, C: 8, H: 9 };

describe.each(['bn254', 'bls12-381'] as const)('over %s', (curve) => {
  const folder = temporaryFolder();
  const out = join(folder, 'out');
  let circuit: Fixture;
  let keys: Keys;
  beforeAll(async () => {
    circuit = await fixture('powers', curve);
    keys = await keysOf(circuit, 'ceremony');
  });

  const prove = (zkey: string, ...more: string[]) => cuzk(['prove', zkey, circuit.witness, '-o', out, '--json', ...more]);
  const withKey = (change: (bytes: Buffer, places: ReturnType<typeof zkeyPlaces>) => Buffer | undefined) =>
    changed(keys.zkey, join(folder, 'changed.zkey'), (bytes) => change(bytes, zkeyPlaces(bytes, curve)));
  function refused(finished: Finished, code: string, message = /./): ReturnType<typeof errorOf> {
    const error = errorOf(finished);
    expect([error.code, finished.code, finished.signal]).toEqual([code, 1, null]);
    expect(error.message).toMatch(message);
    expect(error.file).toBeDefined();
    expect(finished.stderr).not.toMatch(/^\s+at /m);
    expect(finished.ms).toBeLessThan(20_000);
    expect(existsSync(join(out, 'proof.json'))).toBe(false);
    return error;
  }

  it('a coefficient that names a signal or a constraint outside the circuit is refused', async () => {
    const { nVars, domain } = readCounts(readFileSync(keys.zkey), curve);
    for (const [field, value] of [
      [8, nVars],
      [8, 0xffff_ffff],
      [4, domain],
      [4, 0xffff_ffff],
      [0, 2],
      [0, 0xffff_ffff],
    ] as const) {
      const key = withKey((bytes, { coefficient }) => {
        bytes.writeUInt32LE(value, coefficient(3) + field);
        return bytes;
      });
      refused(await prove(key), 'ZkeyCoefficientOutOfRange');
    }
  });

  it("a coefficient not below the field's modulus is refused", async () => {
    const key = withKey((bytes, { coefficient }) => bytes.fill(0xff, coefficient(3) + 12, coefficient(3) + 44));
    refused(await prove(key), 'ZkeyCoefficientNotReduced');
  });

  it('a domain of 0, of no power of two, or far larger than the file is refused at once', async () => {
    for (const size of [0, 3, 33, 2 ** 27, 2 ** 28, 2 ** 31, 0xffff_ffff]) {
      const key = withKey((bytes, { domainSize }) => {
        bytes.writeUInt32LE(size, domainSize);
        return bytes;
      });
      const finished = await prove(key);
      expect(['ZkeyDomainSize', 'ZkeySectionSize']).toContain(errorOf(finished).code);
      expect(finished.code).toBe(1);
      expect(finished.ms).toBeLessThan(10_000);
    }
  });

  it('numbers of signals that the sections do not hold are refused', async () => {
    for (const [place, value, code] of [
      ['nVars', 0xffff_ffff, 'ZkeySectionSize'],
      ['nVars', 1, /ZkeySectionSize|ZkeyPublicCount/],
      ['nPublic', 0xffff_ffff, /ZkeySectionSize|ZkeyPublicCount/],
      ['nPublic', 5, 'ZkeySectionSize'],
    ] as const) {
      const key = withKey((bytes, places) => {
        bytes.writeUInt32LE(value, places[place]);
        return bytes;
      });
      const finished = await prove(key);
      expect(errorOf(finished).code).toMatch(code);
    }
  });

  it('a point that is not on its curve is refused, in every section and in the header', async () => {
    for (const [name, id] of Object.entries(sections)) {
      const key = withKey((bytes, { g1 }) => {
        const { offset, size } = sectionOf(bytes, id);
        const point = id === sections.B2 ? 2 * g1 : g1;
        // The last point that is not at infinity.
        let at = offset + size - point;
        while (bytes.subarray(at, at + point).every((byte) => byte === 0)) at -= point;
        bytes[at]! ^= 1;
        return bytes;
      });
      refused(await prove(key), 'KeyPointOffCurve', new RegExp(`\\b${name}\\b`));
    }
    for (const name of ['alpha1', 'beta1', 'beta2', 'gamma2', 'delta1', 'delta2'] as const) {
      const key = withKey((bytes, places) => {
        bytes[places[name]]! ^= 1;
        return bytes;
      });
      refused(await prove(key), 'KeyPointOffCurve', new RegExp(name));
    }
  });

  it("a coordinate not below the field's modulus is refused", async () => {
    for (const id of [sections.A, sections.B2, sections.H]) {
      const key = withKey((bytes) => bytes.fill(0xff, sectionOf(bytes, id).offset, sectionOf(bytes, id).offset + 32 + 16));
      refused(await prove(key), 'ZkeyPointNotReduced');
    }
  });

  it('a point outside the subgroup is refused', async () => {
    const g2 = outsideSubgroup(curve, 'g2');
    refused(
      await prove(withKey((bytes) => copied(g2, bytes, sectionOf(bytes, sections.B2).offset))),
      'KeyPointOutsideSubgroup',
      /B2/,
    );
    refused(await prove(withKey((bytes, { gamma2 }) => copied(g2, bytes, gamma2))), 'KeyPointOutsideSubgroup', /gamma2/);
    if (curve === 'bn254') return; // the whole curve is the subgroup
    const g1 = outsideSubgroup(curve, 'g1');
    refused(
      await prove(withKey((bytes) => copied(g1, bytes, sectionOf(bytes, sections.H).offset))),
      'KeyPointOutsideSubgroup',
      /H/,
    );
    refused(
      await prove(withKey((bytes) => copied(g1, bytes, sectionOf(bytes, sections.C).offset))),
      'KeyPointOutsideSubgroup',
      /C/,
    );
  });

  it('a key whose beta1, delta1 or another single point is at infinity is refused: its proofs would not hide the witness', async () => {
    for (const name of ['alpha1', 'beta1', 'beta2', 'gamma2', 'delta1', 'delta2'] as const) {
      const key = withKey((bytes, places) =>
        bytes.fill(0, places[name], places[name] + (name.endsWith('1') ? places.g1 : places.g2)),
      );
      refused(await prove(key), 'KeyPointIsIdentity', new RegExp(name));
      refused(await prove(key, '--allow-insecure-key'), 'KeyPointIsIdentity', new RegExp(name));
    }
  });

  it('a key whose A or B points are zeroed is refused', async () => {
    for (const id of [sections.A, sections.B1, sections.B2]) {
      const key = withKey((bytes) =>
        bytes.fill(0, sectionOf(bytes, id).offset, sectionOf(bytes, id).offset + sectionOf(bytes, id).size),
      );
      refused(await prove(key), 'KeyPointIsIdentity');
    }
    const both = withKey((bytes) => {
      for (const id of [sections.B1, sections.B2])
        bytes.fill(0, sectionOf(bytes, id).offset, sectionOf(bytes, id).offset + sectionOf(bytes, id).size);
      return bytes;
    });
    refused(await prove(both), 'KeyPointIsIdentity');
  });

  it('beta and delta that are not the same in both groups are refused', async () => {
    refused(
      await prove(withKey((bytes, { alpha1, delta1, g1 }) => copied(bytes.subarray(alpha1, alpha1 + g1), bytes, delta1))),
      'KeyPointsMismatch',
      /delta/,
    );
    refused(
      await prove(withKey((bytes, { alpha1, beta1, g1 }) => copied(bytes.subarray(alpha1, alpha1 + g1), bytes, beta1))),
      'KeyPointsMismatch',
      /beta/,
    );
  });

  it('a key without a phase 2 contribution is refused, unless the person insists, and is then shown as insecure', async () => {
    const { zkey, vkey } = await keysOf(circuit, 'uncontributed');
    const error = refused(await prove(zkey), 'KeyInsecure', /gamma and delta/);
    expect(error.remedy).toContain('--allow-insecure-key');
    const to = join(folder, 'insecure');
    const insisted = await cuzk(['prove', zkey, circuit.witness, '-o', to, '--allow-insecure-key']);
    expect(insisted.code).toBe(0);
    expect(insisted.stderr).toMatch(/INSECURE KEY/);
    // Not only the first time: what was found is remembered with the key.
    expect((await cuzk(['prove', zkey, circuit.witness, '-o', to, '--allow-insecure-key'])).stderr).toMatch(/INSECURE KEY/);
    refused(await prove(zkey), 'KeyInsecure');
    const verified = await cuzk(['verify', vkey, join(to, 'public.json'), join(to, 'proof.json')]);
    expect(verified.code).toBe(0);
    expect(verified.stdout + verified.stderr).toMatch(/INSECURE/i);
    expect((await cuzk(['inspect', zkey])).stdout).toMatch(/insecure/i);
  });

  it('a truncated key is refused wherever it ends', async () => {
    const whole = readFileSync(keys.zkey);
    const file = join(folder, 'truncated.zkey');
    for (const length of [
      whole.length - 1,
      sectionOf(whole, 9).offset + 100,
      sectionOf(whole, 4).offset + 2,
      sectionOf(whole, 2).offset + 50,
      20,
      11,
      4,
    ]) {
      writeFileSync(file, whole.subarray(0, length));
      const finished = await prove(file);
      expect(errorOf(finished).code).toMatch(/^Zkey(Truncated|SectionSize|SectionMissing|NotThisFormat)$/);
      expect(errorOf(finished).code === 'ZkeyNotThisFormat').toBe(length <= 11);
      expect([finished.code, finished.signal]).toEqual([1, null]);
    }
  });

  it('random bytes, an empty file and a file of another format are refused with what they are', async () => {
    const file = join(folder, 'random.zkey');
    writeFileSync(file, Buffer.from(Array.from({ length: 5000 }, (_, i) => (i * i * 7 + 3 * i) & 255)));
    refused(await prove(file), 'ZkeyNotThisFormat');
    writeFileSync(file, '');
    refused(await prove(file), 'ZkeyNotThisFormat', /empty/);
    refused(await prove(circuit.r1cs), 'ZkeyNotThisFormat', /r1cs/);
    refused(await prove(join(folder, 'missing.zkey')), 'FileNotFound');
  });

  it('a section that is missing or stands twice is refused', async () => {
    const { zkey } = keys;
    const file = join(folder, 'sections.zkey');
    for (const id of [2, 3, 4, 5, 6, 7, 8, 9]) {
      changed(zkey, file, (bytes) => {
        bytes.writeUInt32LE(77, sectionOf(bytes, id).offset - 12);
        return bytes;
      });
      refused(await prove(file), 'ZkeySectionMissing');
    }
    changed(zkey, file, (bytes) => {
      bytes.writeUInt32LE(5, sectionOf(bytes, 8).offset - 12);
      return bytes;
    });
    expect(errorOf(await prove(file)).code).toMatch(/^ZkeySection(Repeated|Missing)$/);
  });

  it('a section shorter than its count is refused', async () => {
    for (const id of [3, 4, 5, 6, 7, 8, 9]) {
      const key = withKey((bytes) => {
        const { offset, size } = sectionOf(bytes, id);
        return withSection(bytes, id, bytes.subarray(offset, offset + size - 4));
      });
      refused(await prove(key), 'ZkeySectionSize');
    }
  });
});

it('a key that another process truncates while it is read gives an error, and the process lives', {
  timeout: 120_000,
}, async () => {
  const circuit = await fixture('sha256');
  const { zkey } = await keysOf(circuit, 'setup');
  const folder = temporaryFolder();
  const copy = join(folder, 'key.zkey');
  let [ended, refusals] = [0, 0];
  for (const delayMs of [60, 120, 180, 240, 300, 400]) {
    copyFileSync(zkey, copy);
    const finished = await cuzk(['prove', copy, circuit.witness, '-o', folder], {
      meanwhile: () => setTimeout(() => truncateSync(copy, 4096), delayMs),
    });
    expect(finished.signal).toBeNull();
    expect([0, 1]).toContain(finished.code);
    ended++;
    if (finished.code === 1) refusals++;
  }
  expect(ended).toBe(6);
  expect(refusals).toBeGreaterThan(0);
});

it('a long proof tells its phase, its percentage and the time left, and the process ends by itself', {
  timeout: 120_000,
}, async () => {
  const circuit = await fixture('sha256');
  const { zkey } = await keysOf(circuit, 'setup');
  // The slowest arithmetic and many partitions, so that there is something to tell on the fastest machine.
  const witnesses = Array<string>(24).fill(circuit.witness);
  const finished = await cuzk(['prove', zkey, ...witnesses, '-o', temporaryFolder(), '--json', '--threads', '1'], {
    env: { CUZK_ISA: 'portable' },
  });
  expect([finished.code, finished.signal]).toEqual([0, null]);
  const progress = eventsOf(finished).filter(({ event }) => event === 'progress');
  expect(new Set(progress.map(({ phase }) => phase)).size).toBeGreaterThan(1);
  const percents = progress.map(({ percent }) => percent as number);
  expect(percents).toEqual(percents.toSorted((a, b) => a - b));
  expect(percents.every((percent) => percent >= 0 && percent <= 100)).toBe(true);
  expect(progress.some(({ leftMs }) => typeof leftMs === 'number')).toBe(true);
});

function copied(from: Buffer, to: Buffer, at: number): Buffer {
  Buffer.from(from).copy(to, at);
  return to;
}

function readCounts(bytes: Buffer, curve: 'bn254' | 'bls12-381') {
  const places = zkeyPlaces(bytes, curve);
  return { nVars: bytes.readUInt32LE(places.nVars), domain: bytes.readUInt32LE(places.domainSize) };
}
