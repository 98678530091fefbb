// What the app says of itself, its machine and its files, and settings that are kept.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, test } from 'vitest';
import { defaultSettings } from '../contract/app.ts';
import { submitSchema } from '../contract/commands.ts';
import { ownFolder } from '../history/own-history.ts';
import { NativeProver } from '../prover/native/native-prover.ts';
import { appHandlers, sampleJob } from './app-handlers.ts';
import { readSettings } from './settings.ts';

let folder: string;
let settingsFile: string;
beforeEach(() => {
  folder = ownFolder();
  settingsFile = join(folder, 'settings.json');
});

const handlers = (inUse = defaultSettings) =>
  appHandlers({ prover: new NativeProver(), historyFile: 'h', historyProblem: () => undefined, settingsFile, settings: inUse });

describe('settings', () => {
  it('are the usual ones where there is no file, and what is set is there at the next start', async () => {
    expect(await readSettings(settingsFile)).toEqual(defaultSettings);
    const { setSettings, getSettings } = handlers();
    await setSettings({ keepDays: 30 });
    await setSettings({ notify: false });
    expect(await getSettings({})).toEqual({
      settings: { ...defaultSettings, keepDays: 30, notify: false },
      inUse: defaultSettings,
    });
    expect(await readSettings(settingsFile)).toEqual({ ...defaultSettings, keepDays: 30, notify: false });
  });

  it('changes at the same moment are both kept', async () => {
    const { setSettings } = handlers();
    await Promise.all([setSettings({ keepDays: 1 }), setSettings({ threads: 2 }), setSettings({ deviceWorkers: 3 })]);
    expect(await readSettings(settingsFile)).toMatchObject({ keepDays: 1, threads: 2, deviceWorkers: 3 });
  });

  it('are as they were when they cannot be written', async () => {
    mkdirSync(join(folder, 'file'));
    const { setSettings, getSettings } = appHandlers({
      ...{ prover: new NativeProver(), historyFile: 'h', historyProblem: () => undefined },
      ...{ settingsFile: join(folder, 'file'), settings: defaultSettings },
    });
    await expect(setSettings({ keepDays: 1 })).rejects.toMatchObject({ code: 'FileUnwritable' });
    expect((await getSettings({})).settings).toEqual(defaultSettings);
  });

  test.each([
    ['no JSON', '{', 'no JSON'],
    ['a list', '[]', 'expected object'],
    ['a name that there is not', '{"keepDay":1}', 'keepDay'],
    ['a wrong value', '{"keepDays":-1}', 'keepDays'],
  ])('a file with %s is refused with what is wrong, and stays', async (_, text, what) => {
    writeFileSync(settingsFile, text);
    await expect(readSettings(settingsFile)).rejects.toMatchObject({
      code: 'SettingsInvalid',
      file: settingsFile,
      message: expect.stringContaining(what),
    });
    expect(readFileSync(settingsFile, 'utf8')).toBe(text);
  });
});

it('the sample is a job that the engine takes, of sixteen partitions in order', () => {
  const sample = sampleJob();
  expect(submitSchema.parse(sample)).toEqual(sample);
  expect(sample!.partitions.map((one) => 'input' in one && one.input.match(/(\d+)\.json$/)?.[1])).toEqual(
    Array.from({ length: 16 }, (_, i) => `${i}`),
  );
  expect(sampleJob(folder)).toBeNull();
});

it('tells a file by its header, and what is wrong with one', async () => {
  const { inspectFile } = handlers();
  const { zkey } = sampleJob()!.circuit;
  const { facts, ...rest } = await inspectFile({ path: zkey });
  expect(rest).toEqual({ path: zkey, format: 'zkey', curve: 'bn254', nVars: 1946, insecure: null });
  expect(Object.fromEntries(facts)['public signals']).toBe('1');
  const { wasm } = sampleJob()!.circuit;
  const [{ input }] = sampleJob()!.partitions as [{ input: string }];
  expect((await inspectFile({ path: wasm! })).format).toBe('wasm');
  expect(await inspectFile({ path: input })).toMatchObject({
    format: 'input.json',
    facts: [
      ['signals', '4'],
      ['values', '11'],
      ['size', expect.anything()],
    ],
  });
  writeFileSync(join(folder, 'no.wasm'), 'hello');
  await expect(inspectFile({ path: join(folder, 'no.wasm') })).rejects.toMatchObject({ code: 'WasmInvalid' });
  writeFileSync(join(folder, 'no.json'), '{"a": 1.5}');
  await expect(inspectFile({ path: join(folder, 'no.json') })).rejects.toMatchObject({ code: 'InputValue' });
  writeFileSync(join(folder, 'cut.zkey'), readFileSync(zkey).subarray(0, 100));
  await expect(inspectFile({ path: join(folder, 'cut.zkey') })).rejects.toMatchObject({ code: 'ZkeyTruncated' });
  await expect(inspectFile({ path: join(folder, 'none') })).rejects.toMatchObject({ code: 'FileNotFound' });
});
