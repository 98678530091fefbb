// The Poseidon hash over bn254's scalar field, written from the paper: Grassi, Khovratovich, Rechberger, Roy, Schofnegger, "Poseidon: a
// new hash function for zero-knowledge proof systems" (USENIX Security 2021). S-box x^5, 8 full rounds, 128 bits of security.
export const fieldOrder = 21888242871839275222246405745257275088548364400416034343698204186575808495617n;
export const fullRounds = 8;
/** By the state's width, one more than the hash has inputs (the paper's script, as circomlib rounds them). */
export const partialRounds = { 2: 56, 3: 57, 4: 56, 5: 60, 6: 60 };

const fieldBits = 254;

/** The paper's Grain LFSR in self-shrinking mode (its appendix E): yields the bits that constants are made of. */
function* grainBits(width) {
  const state = [];
  const put = (value, bits) => {
    for (let i = bits - 1; i >= 0; i--) state.push((value >> i) & 1);
  };
  put(1, 2); // a prime field
  put(0, 4); // the S-box is a power
  put(fieldBits, 12);
  put(width, 12);
  put(fullRounds, 10);
  put(partialRounds[width], 10);
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
export function poseidonParameters(width) {
  const bits = grainBits(width);
  const number = () => {
    let value = 0n;
    for (let i = 0; i < fieldBits; i++) value = (value << 1n) | BigInt(bits.next().value);
    return value;
  };
  const constants = [];
  while (constants.length < width * (fullRounds + partialRounds[width])) {
    const value = number();
    if (value < fieldOrder) constants.push(value);
  }
  let points;
  do points = Array.from({ length: 2 * width }, () => number() % fieldOrder);
  while (new Set(points).size < points.length);
  const matrix = points.slice(0, width).map((x) => points.slice(width).map((y) => power((x + y) % fieldOrder, fieldOrder - 2n)));
  return { constants, matrix };
}

const parameters = new Map();

/** The hash of one to five field elements: the first word of the permuted state (0, inputs...). */
export function poseidon(...inputs) {
  const width = inputs.length + 1;
  if (!parameters.has(width)) parameters.set(width, poseidonParameters(width));
  const { constants, matrix } = parameters.get(width);
  const rounds = fullRounds + partialRounds[width];
  let state = [0n, ...inputs];
  for (let round = 0; round < rounds; round++) {
    const partial = round >= fullRounds / 2 && round < rounds - fullRounds / 2;
    state = state.map((word, i) => (word + constants[round * width + i]) % fieldOrder);
    state = state.map((word, i) => (partial && i > 0 ? word : power(word, 5n)));
    state = matrix.map((row) => row.reduce((sum, factor, j) => (sum + factor * state[j]) % fieldOrder, 0n));
  }
  return state[0];
}
