// An input.json as a flat list of signals with their values, as circom's calculators read it: nested lists are flattened in order,
// objects (buses) and lists of objects become qualified names: {"a": [{"x": 1}]} is the signal `a[0].x`.
import { CuzkError } from '../contract/errors.ts';
import { describe, parseJson } from './json-files.ts';

export interface InputSignal {
  name: string;
  values: bigint[];
}

function refuse(file: string, code: string, message: string): never {
  throw new CuzkError(code, message, { file, remedy: 'correct the input file' });
}

function toBigInt(file: string, path: string, value: unknown): bigint {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'boolean') return value ? 1n : 0n;
  if (typeof value === 'string') {
    const [, sign, digits] = value.trim().match(/^([-+]?)(0[xX][0-9a-fA-F]+|[0-9]+)$/) ?? [];
    if (digits) return sign === '-' ? -BigInt(digits) : BigInt(digits);
  }
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value);
  return refuse(
    file,
    'InputValue',
    `${path}: an integer is needed, as a number or in quotes (decimal or 0x), and this is ${describe(value)}`,
  );
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function flatten(file: string, path: string, value: unknown, into: bigint[]): void {
  if (!Array.isArray(value)) {
    into.push(toBigInt(file, path, value));
    return;
  }
  for (let i = 0; i < value.length; i++) flatten(file, `${path}[${i}]`, value[i], into);
}

function holdsObjects(value: unknown): boolean {
  return Array.isArray(value) ? value.some(holdsObjects) : isObject(value);
}

function* signalsOf(file: string, name: string, value: unknown): Generator<InputSignal> {
  if (isObject(value)) {
    for (const [key, inner] of Object.entries(value)) yield* signalsOf(file, name === '' ? key : `${name}.${key}`, inner);
  } else if (Array.isArray(value) && holdsObjects(value)) {
    for (let i = 0; i < value.length; i++) yield* signalsOf(file, `${name}[${i}]`, value[i]);
  } else {
    const values: bigint[] = [];
    flatten(file, name, value, values);
    yield { name, values };
  }
}

/** Integers are taken from the text itself: a JSON number above 2^53 would otherwise silently lose its last digits. */
function exactIntegers(this: unknown, _key: string, value: unknown, { source }: { source?: string }): unknown {
  if (typeof value === 'number' && !Number.isSafeInteger(value) && source && /^-?\d+$/.test(source)) return BigInt(source);
  return value;
}

/** The signals of an input file's text. `file` names it in errors. */
export function parseInputs(text: string, file: string): InputSignal[] {
  const json = parseJson(text, file, 'file of input signals', exactIntegers);
  if (!isObject(json)) {
    refuse(file, 'InputShape', `an object of signals by name is needed, like {"a": 1, "b": [2, 3]}, and this is ${describe(json)}`);
  }
  return [...signalsOf(file, '', json)];
}
