import { expect, test } from 'vitest';
import { checkWasmMemory } from './wasm-limits.ts';

const header = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
const module = (...sections: number[]) => new Uint8Array([...header, ...sections]);
const check = (bytes: Uint8Array, limitPages = 16) => checkWasmMemory(bytes, limitPages * 65_536, 'c.wasm');

test('a memory within the limit is accepted, with or without a maximum, after other sections', () => {
  check(module(5, 3, 1, 0, 16));
  check(module(1, 1, 0, 5, 4, 1, 1, 2, 16));
  check(module());
});

test('a memory above the limit is refused where it stands', () => {
  expect(() => check(module(5, 3, 1, 0, 17))).toThrow(expect.objectContaining({ code: 'WasmMemory', offset: 11 }));
  expect(() => check(module(5, 5, 2, 0, 1, 0, 0x80, 0x80, 4))).toThrow(expect.objectContaining({ code: 'WasmMemory' }));
});

test('a 64-bit memory is refused', () => {
  expect(() => check(module(5, 3, 1, 4, 1))).toThrow(expect.objectContaining({ code: 'WasmMemory' }));
});

test('a file that is cut off, or whose numbers never end, is refused', () => {
  expect(() => check(module(5))).toThrow(expect.objectContaining({ code: 'WasmInvalid' }));
  expect(() => check(module(5, ...Array(12).fill(0xff)))).toThrow(expect.objectContaining({ code: 'WasmInvalid' }));
});
