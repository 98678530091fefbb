// ffjavascript's curves, as far as the tests use them (the package has no types).
import type { Curve } from './native.ts';

interface FfGroup {
  /** Sum of scalars times affine points in file form. */
  multiExpAffine(points: Uint8Array, scalars: Uint8Array): Promise<Uint8Array>;
  toAffine(point: Uint8Array): Uint8Array;
}
interface FfScalars {
  fft(values: Uint8Array): Promise<Uint8Array>;
  ifft(values: Uint8Array): Promise<Uint8Array>;
  batchApplyKey(values: Uint8Array, first: Uint8Array, increment: Uint8Array): Promise<Uint8Array>;
  batchFromMontgomery(values: Uint8Array): Promise<Uint8Array>;
  mul(a: Uint8Array, b: Uint8Array): Uint8Array;
  sub(a: Uint8Array, b: Uint8Array): Uint8Array;
  one: Uint8Array;
  /** Roots of unity: w[k] has order 2^k. */
  w: Uint8Array[];
  s: number;
  shift: Uint8Array;
}
export interface FfCurve {
  Fr: FfScalars;
  G1: FfGroup;
  G2: FfGroup;
  terminate(): Promise<void>;
}

const built = new Map<Curve, Promise<FfCurve>>();

/** The curve on one thread, built once per test file. */
export function ffCurve(curve: Curve): Promise<FfCurve> {
  let promise = built.get(curve);
  if (!promise) {
    promise = (async () => {
      const { buildBn128, buildBls12381 } = (await import('ffjavascript' as string)) as Record<
        string,
        (single: boolean) => Promise<FfCurve>
      >;
      return (curve === 'bn254' ? buildBn128! : buildBls12381!)(true);
    })();
    built.set(curve, promise);
  }
  return promise;
}
