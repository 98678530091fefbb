// An EdDSA signature over Baby Jubjub with Poseidon, as circomlib's verifier takes it, by plain big integers.
import { join } from 'node:path';
import { packageRoot } from '../main/package-root.ts';

const { poseidon, fieldOrder: p } = (await import(join(packageRoot, 'build', 'poseidon.mjs'))) as {
  poseidon: (...inputs: bigint[]) => bigint;
  fieldOrder: bigint;
};

type Point = [bigint, bigint];

// a x^2 + y^2 = 1 + d x^2 y^2 (EIP-2494); the base point has the prime order.
const a = 168700n;
const d = 168696n;
const primeOrder = 2736030358979909402780800718157159386076813972158567259200215660948447373041n;
const base: Point = [
  5299619240641551281634865583518297030282874472190772894086521144482721001553n,
  16950150798460657717958625567821834550301663161624707787222815936182638968203n,
];

const mod = (value: bigint) => ((value % p) + p) % p;
function inverse(value: bigint): bigint {
  let result = 1n;
  for (let square = mod(value), rest = p - 2n; rest > 0n; rest >>= 1n, square = mod(square * square)) {
    if (rest & 1n) result = mod(result * square);
  }
  return result;
}
function add([x1, y1]: Point, [x2, y2]: Point): Point {
  const product = mod(d * mod(x1 * x2) * mod(y1 * y2));
  return [mod((x1 * y2 + y1 * x2) * inverse(1n + product)), mod((y1 * y2 - a * x1 * x2) * inverse(1n - product))];
}
function multiply(point: Point, scalar: bigint): Point {
  let result: Point = [0n, 1n];
  for (let rest = scalar, power = point; rest > 0n; rest >>= 1n, power = add(power, power)) {
    if (rest & 1n) result = add(result, power);
  }
  return result;
}

/** The verifier's inputs for one message, signed with fixed numbers: the same every time. */
export function signedMessage(): Record<string, string> {
  const [secret, nonce, message] = [123456789123456789n, 987654321987654321n, 42n];
  const [publicKey, R8] = [multiply(base, secret), multiply(base, nonce)];
  const challenge = poseidon(...R8, ...publicKey, message);
  const S = (nonce + challenge * 8n * secret) % primeOrder;
  const numbers = { enabled: 1n, Ax: publicKey[0], Ay: publicKey[1], S, R8x: R8[0], R8y: R8[1], M: message };
  return Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, String(value)]));
}
