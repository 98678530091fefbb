// The Poseidon hash over bn254's scalar field, written from the paper: Grassi, Khovratovich, Rechberger, Roy, Schofnegger, "Poseidon: a
// new hash function for zero-knowledge proof systems" (USENIX Security 2021). S-box x^5, width 3, 8 full and 57 partial rounds: 128 bits.
export const fieldOrder = 21888242871839275222246405745257275088548364400416034343698204186575808495617n;
export const width = 3;
export const fullRounds = 8;
export const partialRounds = 57;

const fieldBits = 254;

/** The paper's Grain LFSR in self-shrinking mode (its appendix E): yields the bits that constants are made of. */
function* grainBits() {
  const state = [];
  const put = (value, bits) => {
    for (let i = bits - 1; i >= 0; i--) state.push((value >> i) & 1);
  };
  put(1, 2); // a prime field
  put(0, 4); // the S-box is a power
  put(fieldBits, 12);
  put(width, 12);
  put(fullRounds, 10);
  put(partialRounds, 10);
  put(2 ** 30 - 1, 30);
  const next = () => {
    const bit = state[62] ^ state[51] ^ state[38] ^ state[23] ^ state[13] ^ state[0];
    state.shift();
    state.push(bit);
    return bit;
  };
  for (let i = 0; i < 160; i++) next();
  for (;;) {
    const keep = next();
    const bit = next();
    if (keep) yield bit;
  }
}

function power(base, exponent) {
  let result = 1n;
  for (let square = base, rest = exponent; rest > 0n; rest >>= 1n, square = (square * square) % fieldOrder) {
    if (rest & 1n) result = (result * square) % fieldOrder;
  }
  return result;
}

/** The round constants, `width` for each round, and the matrix that mixes (a Cauchy matrix, so maximum distance separable). */
export function poseidonParameters() {
  const bits = grainBits();
  const number = () => {
    let value = 0n;
    for (let i = 0; i < fieldBits; i++) value = (value << 1n) | BigInt(bits.next().value);
    return value;
  };
  const constants = [];
  while (constants.length < width * (fullRounds + partialRounds)) {
    const value = number();
    if (value < fieldOrder) constants.push(value);
  }
  let points;
  do points = Array.from({ length: 2 * width }, () => number() % fieldOrder);
  while (new Set(points).size < points.length);
  const matrix = points.slice(0, width).map((x) => points.slice(width).map((y) => power((x + y) % fieldOrder, fieldOrder - 2n)));
  return { constants, matrix };
}

const { constants, matrix } = poseidonParameters();

/** The hash of two field elements: the first word of the permuted state (0, left, right). */
export function poseidon(left, right) {
  let state = [0n, left, right];
  for (let round = 0; round < fullRounds + partialRounds; round++) {
    const partial = round >= fullRounds / 2 && round < fullRounds / 2 + partialRounds;
    state = state.map((word, i) => (word + constants[round * width + i]) % fieldOrder);
    state = state.map((word, i) => (partial && i > 0 ? word : power(word, 5n)));
    state = matrix.map((row) => row.reduce((sum, factor, j) => (sum + factor * state[j]) % fieldOrder, 0n));
  }
  return state[0];
}
