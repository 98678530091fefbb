// The list of codes in docs/errors.md against the codes that the sources can raise, native and TypeScript.
import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../package-root.ts';

const read = (pattern: string, except: RegExp) =>
  globSync(pattern, { cwd: packageRoot })
    .filter((file) => !except.test(file))
    .map((file) => ({ file, text: readFileSync(`${packageRoot}/${file}`, 'utf8') }));

/** The container's faults carry their format's prefix (native/formats/sections.hpp). */
const prefixes: Record<string, string[]> = {
  'zkey.cpp': ['Zkey'],
  'wtns.cpp': ['Wtns'],
  'r1cs.cpp': ['R1cs'],
  'sections.cpp': ['Zkey', 'Wtns', 'R1cs'],
};

function codesInSources(): Set<string> {
  const codes = new Set<string>();
  for (const { file, text } of read('native/**/*.{cpp,hpp}', /build\/|\.test\.|\.fuzz\.|^native\/test\//)) {
    for (const [, code] of text.matchAll(/\b(?:error|refuse|coded|json_place(?: \w+)?)\s*[({]\s*(?:env, )?"([A-Z]\w+)"/g))
      codes.add(code!);
    for (const [, code] of text.matchAll(/\bfault\(\s*"([A-Z]\w+)"/g)) {
      for (const prefix of prefixes[basename(file)] ?? ['']) codes.add(prefix + code);
    }
  }
  for (const { text } of read('main/**/*.ts', /\.test\.ts$/)) {
    for (const [, code] of text.matchAll(/\b(?:CuzkError\(|refuse\(\s*\w+,|refuse\()\s*'([A-Z]\w+)'/g)) codes.add(code!);
    for (const [, code] of text.matchAll(/\bcode = .*'([A-Z]\w+)' : '[A-Z]\w+'/g)) codes.add(code!);
    for (const [, code] of text.matchAll(/\bcode = .* : '([A-Z]\w+)'/g)) codes.add(code!);
    // Failures that are data from the start.
    for (const [, code] of text.matchAll(/\bcode: '([A-Z]\w+)',\n\s+message:/g)) codes.add(code!);
    for (const [, code] of text.matchAll(/^ {2}E[A-Z]+: \['([A-Z]\w+)'/gm)) codes.add(code!);
  }
  codes.add('Aborted');
  return codes;
}

const listed = [...readFileSync(`${packageRoot}/docs/errors.md`, 'utf8').matchAll(/^\| `([A-Z]\w+)` \|/gm)].map(
  ([, code]) => code!,
);

test('every code that the sources raise is listed in docs/errors.md', () => {
  expect([...codesInSources()].filter((code) => !listed.includes(code)).sort()).toEqual([]);
});

test('docs/errors.md lists no code that nothing raises, and none twice', () => {
  const codes = codesInSources();
  expect(listed.filter((code) => !codes.has(code))).toEqual([]);
  expect(listed.filter((code, i) => listed.indexOf(code) !== i)).toEqual([]);
});
