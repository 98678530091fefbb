// Makes bad files out of good ones, a field at a time. Layouts: iden3's binary container, snarkjs's .zkey and .wtns.
import { readFileSync, writeFileSync } from 'node:fs';
import { bls12_381 } from '@noble/curves/bls12-381.js';
import { bn254 } from '@noble/curves/bn254.js';
import { type NoblePoint, nobleGroup, pointsToFile } from './oracle/values.ts';

interface Section {
  id: number;
  /** Of the content. */
  offset: number;
  size: number;
}

const headerBytes = 12;
const sectionHeaderBytes = 12;

/** The sections of a container, in the order of the file. */
export function sectionsOf(bytes: Buffer): Section[] {
  const sections: Section[] = [];
  let at = headerBytes;
  for (let i = bytes.readUInt32LE(8); i > 0; i--) {
    const size = Number(bytes.readBigUInt64LE(at + 4));
    sections.push({ id: bytes.readUInt32LE(at), offset: at + sectionHeaderBytes, size });
    at += sectionHeaderBytes + size;
  }
  return sections;
}

export function sectionOf(bytes: Buffer, id: number): Section {
  const section = sectionsOf(bytes).find((candidate) => candidate.id === id);
  if (!section) throw new Error(`no section ${id}`);
  return section;
}

/** The container with a section's content replaced, its size kept true. */
export function withSection(bytes: Buffer, id: number, content: Buffer): Buffer {
  const { offset, size } = sectionOf(bytes, id);
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(content.length));
  return Buffer.concat([bytes.subarray(0, offset - 8), length, content, bytes.subarray(offset + size)]);
}

export type Curve = 'bn254' | 'bls12-381';
const fpBytes = { bn254: 32, 'bls12-381': 48 };

/** Where the fields of a .zkey stand. */
export function zkeyPlaces(bytes: Buffer, curve: Curve) {
  const g1 = 2 * fpBytes[curve];
  const header = sectionOf(bytes, 2).offset;
  const counts = header + 4 + fpBytes[curve] + 4 + 32;
  const alpha1 = counts + 12;
  const beta1 = alpha1 + g1;
  const beta2 = beta1 + g1;
  const gamma2 = beta2 + 2 * g1;
  const delta1 = gamma2 + 2 * g1;
  const delta2 = delta1 + g1;
  return {
    g1,
    g2: 2 * g1,
    prime: header + 4,
    nVars: counts,
    nPublic: counts + 4,
    domainSize: counts + 8,
    ...{ alpha1, beta1, beta2, gamma2, delta1, delta2 },
    /** Of a record (matrix, constraint, signal, value) of section 4. */
    coefficient: (i: number) => sectionOf(bytes, 4).offset + 4 + i * (12 + 32),
  };
}

/** Writes a changed copy of a file and returns its path. */
export function changed(from: string, to: string, change: (bytes: Buffer) => Buffer | undefined): string {
  const bytes = Buffer.from(readFileSync(from));
  writeFileSync(to, change(bytes) ?? bytes);
  return to;
}

/** An integer as little-endian bytes. */
export function littleEndian(value: bigint, size: number): Buffer {
  return Buffer.from(value.toString(16).padStart(2 * size, '0'), 'hex').reverse();
}

/** Points on the curve but outside the subgroup of order r: the first with a small x. In G1 of bn254 there is none. */
export function outsideSubgroup(curve: Curve, group: 'g1' | 'g2'): Buffer {
  const { fields } = curve === 'bn254' ? bn254 : bls12_381;
  const { fromAffine } = nobleGroup(curve, group);
  for (let x = 1n; ; x++) {
    const point = group === 'g1' ? liftG1(x) : liftG2(x);
    if (point && !isTorsionFree(point)) return Buffer.from(pointsToFile(curve, group, [point]));
  }
  function liftG1(x: bigint): NoblePoint | undefined {
    const { Fp } = fields;
    const b = curve === 'bn254' ? 3n : 4n;
    const y = squareRoot(() => Fp.sqrt(Fp.add(Fp.mul(Fp.sqr(x), x), b)));
    return y === undefined ? undefined : fromAffine.call(nobleGroup(curve, group), { x, y });
  }
  function liftG2(c0: bigint): NoblePoint | undefined {
    const { Fp2 } = fields;
    const x = Fp2.create({ c0, c1: 1n });
    const b =
      curve === 'bn254' ? Fp2.div(Fp2.create({ c0: 3n, c1: 0n }), Fp2.create({ c0: 9n, c1: 1n })) : Fp2.create({ c0: 4n, c1: 4n });
    const y = squareRoot(() => Fp2.sqrt(Fp2.add(Fp2.mul(Fp2.sqr(x), x), b)));
    return y === undefined ? undefined : fromAffine.call(nobleGroup(curve, group), { x, y });
  }
}

const isTorsionFree = (point: NoblePoint) => (point as NoblePoint & { isTorsionFree(): boolean }).isTorsionFree();

function squareRoot<T>(compute: () => T): T | undefined {
  try {
    return compute();
  } catch {
    return undefined;
  }
}
