// The sample's hash is the Poseidon that everybody uses: the value that circomlib's tests give for (1, 2).
import { expect, it } from 'vitest';
import { poseidon } from './poseidon.mjs';

it('the hash of (1, 2) is the published one', () => {
  expect(poseidon(1n, 2n)).toBe(7853200120776062878684798364095072458815029376092732009249414926327459813530n);
});
