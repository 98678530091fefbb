// Transforms and the quotient step on every instruction set against ffjavascript, by the steps that snarkjs's prover takes.
import { describe, expect, it } from 'vitest';
import { type FfCurve, ffCurve } from './ffjavascript.ts';
import { curves, native, variants } from './native.ts';
import { order, pseudoRandom, toFile } from './values.ts';

const logSizes = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13];

function values(n: number, p: bigint, seed: number): bigint[] {
  const random = pseudoRandom(seed);
  return Array.from({ length: n }, () => random(p));
}

/** What snarkjs multiplies the key's H points with. */
async function quotientOf({ Fr }: FfCurve, a: Uint8Array, b: Uint8Array, log: number): Promise<Uint8Array> {
  const product = (x: Uint8Array, y: Uint8Array) => {
    const out = new Uint8Array(x.length);
    for (let i = 0; i < x.length; i += 32) out.set(Fr.mul(x.slice(i, i + 32), y.slice(i, i + 32)), i);
    return out;
  };
  const increment = log === Fr.s ? Fr.shift : Fr.w[log + 1]!;
  const onCoset = async (x: Uint8Array) => Fr.fft(await Fr.batchApplyKey(await Fr.ifft(x), Fr.one, increment));
  const [oddA, oddB, oddC] = [await onCoset(a), await onCoset(b), await onCoset(product(a, b))];
  const both = product(oddA, oddB);
  const out = new Uint8Array(a.length);
  for (let i = 0; i < out.length; i += 32) out.set(Fr.sub(both.slice(i, i + 32), oddC.slice(i, i + 32)), i);
  return Fr.batchFromMontgomery(out);
}

const same = (a: Uint8Array, b: Uint8Array) => Buffer.from(a.buffer, a.byteOffset, a.length).equals(b);

describe.each(curves)('%s', (curve) => {
  const p = order(curve);

  it("transforms of every size equal ffjavascript's, forward and inverse, on every instruction set", async () => {
    const { Fr } = await ffCurve(curve);
    for (const log of logSizes) {
      const n = 1 << log;
      const edge = [0n, 1n, p - 1n];
      const inputs = [values(n, p, log), values(n, p, 99).map((_, i) => edge[i % 3]!), new Array<bigint>(n).fill(p - 1n)];
      for (const input of inputs) {
        const bytes = toFile(input, p, 32);
        const [forward, inverse] = [await Fr.fft(bytes), await Fr.ifft(bytes)];
        for (const isa of variants) {
          for (const threads of [1, 2]) {
            expect(same(native.ntt(curve, isa, bytes, 'forward', threads).out, forward), `forward 2^${log} ${isa}`).toBe(true);
            expect(same(native.ntt(curve, isa, bytes, 'inverse', threads).out, inverse), `inverse 2^${log} ${isa}`).toBe(true);
          }
        }
      }
    }
  });

  it("quotients of every size equal what snarkjs's prover computes with ffjavascript", async () => {
    const ff = await ffCurve(curve);
    for (const log of logSizes) {
      const n = 1 << log;
      const [a, b] = [toFile(values(n, p, 7 + log), p, 32), toFile(values(n, p, 70 + log), p, 32)];
      const expected = await quotientOf(ff, a, b, log);
      for (const isa of variants) {
        for (const threads of [1, 2]) {
          expect(same(native.quotient(curve, isa, a, b, threads).out, expected), `2^${log} ${isa}`).toBe(true);
        }
      }
    }
  });
});
