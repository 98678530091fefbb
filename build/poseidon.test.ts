// The sample's hash is the Poseidon that everybody uses: the values that circomlib's tests give.
import { expect, it } from 'vitest';
import { poseidon } from './poseidon.mjs';

it('the hashes of (1, 2) and of (1, 2, 0, 0, 0) are the published ones', () => {
  expect(poseidon(1n, 2n)).toBe(7853200120776062878684798364095072458815029376092732009249414926327459813530n);
  expect(poseidon(1n, 2n, 0n, 0n, 0n)).toBe(1018317224307729531995786483840663576608797660851238720571059489595066344487n);
});
