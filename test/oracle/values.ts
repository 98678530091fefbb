// Numbers and points between @noble/curves' and ffjavascript's shapes and the bytes of files.
import { bls12_381 } from '@noble/curves/bls12-381.js';
import { bn254 } from '@noble/curves/bn254.js';
import type { Curve, Group } from './native.ts';

/** The slice of @noble/curves' points that the tests use; coordinates are bigints in G1 and pairs in G2. */
export interface NoblePoint {
  add(other: NoblePoint): NoblePoint;
  negate(): NoblePoint;
  double(): NoblePoint;
  multiplyUnsafe(scalar: bigint): NoblePoint;
  equals(other: NoblePoint): boolean;
  is0(): boolean;
  toAffine(): { x: Coordinate; y: Coordinate };
}
export type Coordinate = bigint | { c0: bigint; c1: bigint };
interface NobleGroup {
  BASE: NoblePoint;
  ZERO: NoblePoint;
  fromAffine(point: { x: Coordinate; y: Coordinate }): NoblePoint;
}

const noble = { bn254, 'bls12-381': bls12_381 };

export const order = (curve: Curve): bigint => noble[curve].fields.Fr.ORDER;
export const modulus = (curve: Curve): bigint => noble[curve].fields.Fp.ORDER;
export const nobleGroup = (curve: Curve, group: Group): NobleGroup =>
  (group === 'g1' ? noble[curve].G1 : noble[curve].G2).Point as unknown as NobleGroup;
export const nobleFp2 = (curve: Curve) => noble[curve].fields.Fp2;

export const bytesOfFp = (curve: Curve): number => (curve === 'bn254' ? 32 : 48);

/** Little-endian integers of `size` bytes, side by side. */
export function toBytes(values: readonly bigint[], size: number): Uint8Array {
  const bytes = new Uint8Array(values.length * size);
  const view = new DataView(bytes.buffer);
  values.forEach((value, i) => {
    for (let j = 0; j < size; j += 8) view.setBigUint64(i * size + j, (value >> BigInt(8 * j)) & 0xffff_ffff_ffff_ffffn, true);
  });
  return bytes;
}

export function fromBytes(bytes: Uint8Array, size: number): bigint[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: bytes.length / size }, (_, i) => {
    let value = 0n;
    for (let j = size - 8; j >= 0; j -= 8) value = (value << 64n) | view.getBigUint64(i * size + j, true);
    return value;
  });
}

function inverse(a: bigint, p: bigint): bigint {
  let [r0, r1, s0, s1] = [p, a % p, 0n, 1n];
  while (r1 > 0n) {
    const q = r0 / r1;
    [r0, r1] = [r1, r0 - q * r1];
    [s0, s1] = [s1, s0 - q * s1];
  }
  return ((s0 % p) + p) % p;
}

/** Plain integers to file form, a R mod p with R = 2^(8 size), and back. */
export const toFile = (values: readonly bigint[], p: bigint, size: number): Uint8Array =>
  toBytes(
    values.map((value) => (value << BigInt(8 * size)) % p),
    size,
  );
export function fromFile(bytes: Uint8Array, p: bigint, size: number): bigint[] {
  const unit = inverse((1n << BigInt(8 * size)) % p, p);
  return fromBytes(bytes, size).map((value) => (value * unit) % p);
}

const flat = (value: Coordinate): bigint[] => (typeof value === 'bigint' ? [value] : [value.c0, value.c1]);

/** Affine points in file form; infinity is all zeros. */
export function pointsToFile(curve: Curve, group: Group, points: readonly NoblePoint[]): Uint8Array {
  const zeros = new Array<bigint>(group === 'g1' ? 2 : 4).fill(0n);
  const coordinates = points.flatMap((point) => {
    if (point.is0()) return zeros;
    const { x, y } = point.toAffine();
    return [...flat(x), ...flat(y)];
  });
  return toFile(coordinates, modulus(curve), bytesOfFp(curve));
}

export function pointsFromFile(curve: Curve, group: Group, bytes: Uint8Array): NoblePoint[] {
  const size = group === 'g1' ? 1 : 2;
  const values = fromFile(bytes, modulus(curve), bytesOfFp(curve));
  const coordinate = (at: number): Coordinate => (size === 1 ? values[at]! : { c0: values[at]!, c1: values[at + 1]! });
  const points: NoblePoint[] = [];
  for (let i = 0; i < values.length; i += 2 * size) {
    const infinite = values.slice(i, i + 2 * size).every((value) => value === 0n);
    const { ZERO, fromAffine } = nobleGroup(curve, group);
    points.push(infinite ? ZERO : fromAffine.call(nobleGroup(curve, group), { x: coordinate(i), y: coordinate(i + size) }));
  }
  return points;
}

/** A Jacobian X, Y, Z in file form as a point. */
export function jacobianFromFile(curve: Curve, group: Group, bytes: Uint8Array): NoblePoint {
  const p = modulus(curve);
  const values = fromFile(bytes, p, bytesOfFp(curve));
  const { ZERO } = nobleGroup(curve, group);
  if (group === 'g1') {
    const [x, y, z] = values as [bigint, bigint, bigint];
    if (z === 0n) return ZERO;
    const iz = inverse(z, p);
    return nobleGroup(curve, group).fromAffine({ x: (x * iz * iz) % p, y: (y * iz * iz * iz) % p });
  }
  const field = nobleFp2(curve);
  const at = (i: number) => field.create({ c0: values[i]!, c1: values[i + 1]! });
  if (field.is0(at(4))) return ZERO;
  const iz = field.inv(at(4));
  const iz2 = field.sqr(iz);
  return nobleGroup(curve, group).fromAffine({ x: field.mul(at(0), iz2), y: field.mul(at(2), field.mul(iz2, iz)) });
}

/** Numbers below p that look random and are the same every time (xorshift64*). */
export function pseudoRandom(seed: number): (p: bigint) => bigint {
  let state = BigInt(seed) * 0x9e37_79b9_7f4a_7c15n + 1n;
  const word = () => {
    state ^= (state << 13n) & 0xffff_ffff_ffff_ffffn;
    state ^= state >> 7n;
    state ^= (state << 17n) & 0xffff_ffff_ffff_ffffn;
    return state;
  };
  return (p) => {
    let value = 0n;
    for (let i = 0; i < 8; i++) value = (value << 64n) | word();
    return value % p;
  };
}
