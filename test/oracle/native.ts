// The test addon (native/test/addon): the prover's arithmetic as functions of buffers, on every instruction set that this CPU has.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { packageRoot } from '../../main/package-root.ts';

export type Isa = 'portable' | 'adx' | 'ifma';
export type Curve = 'bn254' | 'bls12-381';
export type Group = 'g1' | 'g2';
export type FieldName = 'fr' | 'fp' | 'fp2';
export type FieldOperation = 'add' | 'sub' | 'mul' | 'sqr' | 'neg' | 'dbl' | 'inverse' | 'fromCanonical' | 'toCanonical';

export interface Timed {
  out: Uint8Array;
  ms: number;
}

/** Elements and points are in file form (Montgomery, little-endian); `scalars` are plain integers of 32 bytes; threads 0: all cores. */
export interface TestAddon {
  variants(): Isa[];
  /** Element by element; null for an operation that the variant has not got. */
  field(curve: Curve, field: FieldName, isa: Isa, operation: FieldOperation, a: Uint8Array, b?: Uint8Array): Uint8Array | null;
  /** Nanoseconds of one multiplication among independent ones, on one core. */
  multiplyNs(curve: Curve, field: FieldName, isa: Isa): number;
  /** Jacobian X, Y, Z. */
  msm(curve: Curve, group: Group, isa: Isa, points: Uint8Array, scalars: Uint8Array, threads: number): Timed;
  bucketSums(
    curve: Curve,
    group: Group,
    isa: Isa,
    points: Uint8Array,
    digits: Uint16Array,
    buckets: number,
    threads: number,
  ): Uint8Array;
  /** The points after they went into the variant's own form and back. */
  reimport(curve: Curve, group: Group, isa: Isa, points: Uint8Array): Uint8Array;
  /** The number of points if all are on the curve. */
  firstOffCurve(curve: Curve, group: Group, isa: Isa, points: Uint8Array): number;
  generatorMultiples(curve: Curve, group: Group, scalars: Uint8Array): Uint8Array;
  ntt(curve: Curve, isa: Isa, values: Uint8Array, direction: 'forward' | 'inverse', threads: number): Timed;
  /** Plain integers. */
  quotient(curve: Curve, isa: Isa, a: Uint8Array, b: Uint8Array, threads: number): Timed;
}

const path = process.env.CUZK_TEST_NATIVE ?? join(packageRoot, 'native', 'build', 'release', 'cuzk_test.node');

export const native = createRequire(import.meta.url)(path) as TestAddon;
export const variants: Isa[] = native.variants();
export const curves: Curve[] = ['bn254', 'bls12-381'];
