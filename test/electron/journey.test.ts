// The desktop app in a real Electron, from the first start on: the page gets what the contract gives and nothing else, the addon proves, and a
// second start finds what the first one left.
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packageRoot } from '../../main/package-root.ts';
import { temporaryFolder } from '../cuzk.ts';
import { groth16 } from '../snarkjs.ts';
import { Desktop, isMissing, runtime } from './desktop.ts';

const pictures = process.env.CUZK_PICTURES ?? join(temporaryFolder(), 'pictures');
const sample = join(packageRoot, 'samples', 'merkle');
const bounds = { x: 150, y: 120, width: 1280, height: 840 };

describe.skipIf(isMissing)('the app in Electron', () => {
  let home: string;
  let desktop: Desktop;
  let job: string;

  beforeAll(async () => {
    mkdirSync(pictures, { recursive: true });
    home = temporaryFolder();
    desktop = await Desktop.open({ home });
  });
  afterAll(() => desktop?.[Symbol.asyncDispose]());

  const picture = (name: string) => desktop.page.screenshot({ path: join(pictures, `electron-${name}.png`) });
  const ended = () => desktop.page.getByLabel('Ended last').getByRole('listitem');
  const go = (name: string) => desktop.page.getByRole('link', { name, exact: true }).first().click();

  test('at the first start there is one window, and it says what to do', async () => {
    await desktop.page.getByRole('heading', { name: 'Nothing is running' }).waitFor();
    const shown = await desktop.app.evaluate(({ BrowserWindow, app }) => ({
      windows: BrowserWindow.getAllWindows().map((window) => ({ isVisible: window.isVisible(), title: window.getTitle() })),
      version: process.versions.electron,
      name: app.getName(),
    }));
    expect(shown).toEqual({ windows: [{ isVisible: true, title: 'Now - cuzk' }], version: runtime.version, name: 'cuzk' });
    await picture('first-start');
  });

  test('the page has no Node, and of the app exactly what the contract gives it', async () => {
    const seen = await desktop.page.evaluate(() => {
      const { cuzk } = window as unknown as { cuzk: object };
      const { writable, configurable } = Object.getOwnPropertyDescriptor(window, 'cuzk')!;
      return {
        bridge: Object.fromEntries(Object.entries(cuzk).map(([name, value]) => [name, typeof value])),
        isFrozen: Object.isFrozen(cuzk) && !writable && !configurable,
        node: ['require', 'process', 'module', 'exports', 'Buffer', 'global', 'setImmediate', '__dirname'].filter(
          (name) => name in window,
        ),
        names: Object.getOwnPropertyNames(window),
      };
    });
    expect(seen.bridge).toEqual({ send: 'function', onMessage: 'function', pathOf: 'function', chooseFiles: 'function' });
    expect(seen).toMatchObject({ isFrozen: true, node: [] });
    // Beside a window that has no preload at all.
    const bare = await desktop.app.evaluate(async ({ BrowserWindow, session }) => {
      const window = new BrowserWindow({ show: false, webPreferences: { session: session.defaultSession, sandbox: true } });
      await window.loadURL('app://cuzk/');
      const names = await window.webContents.executeJavaScript('Object.getOwnPropertyNames(window)');
      window.destroy();
      return names as string[];
    });
    expect(seen.names.filter((name) => !bare.includes(name))).toEqual(['cuzk']);
    const preferences = await desktop.app.evaluate(({ BrowserWindow }) => {
      const contents = BrowserWindow.getAllWindows()[0]!.webContents as unknown as { getLastWebPreferences(): object };
      return contents.getLastWebPreferences();
    });
    expect(preferences).toMatchObject({
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      webviewTag: false,
    });
  });

  test('the page comes from the private protocol, under a policy that lets it load nothing else', async () => {
    expect(desktop.page.url()).toMatch(/^app:\/\/cuzk\/(#\/)?$/);
    const answer = await desktop.page.evaluate(async () => {
      const { status, headers } = await fetch('app://cuzk/');
      return { status, headers: Object.fromEntries(headers) };
    });
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-security-policy': expect.stringMatching(/^default-src 'none'; script-src 'self';.* frame-ancestors 'none'$/),
      'x-content-type-options': 'nosniff',
    });
  });

  test('the sample is one click away: the addon proves its sixteen partitions', async () => {
    await desktop.page.getByRole('button', { name: 'Prove the sample' }).click();
    await desktop.page.getByRole('progressbar').waitFor();
    await picture('sample-runs');
    await ended().filter({ hasText: 'succeeded' }).waitFor();
    await picture('sample-done');
    const { jobs } = await desktop.ask('listJobs', {});
    expect(jobs).toMatchObject([{ kind: 'merkle', state: 'succeeded', partitions: 16, done: 16, devices: ['cpu'] }]);
    job = jobs[0]!.id;
  });

  test('the proofs are valid, says the app, and snarkjs too', async () => {
    expect(await desktop.ask('verifyProof', { job, partition: 7 })).toEqual({ valid: true });
    const { verify } = await groth16();
    const vkey = JSON.parse(readFileSync(join(sample, 'verification_key.json'), 'utf8'));
    for (const partition of [0, 15]) {
      const { proof, publicSignals } = await desktop.ask('showProof', { job, partition });
      expect(await verify(vkey, JSON.parse(publicSignals), JSON.parse(proof))).toBe(true);
    }
  });

  test('what is set on the screen is kept in a file', async () => {
    await go('Settings');
    await desktop.page.getByLabel('Delete jobs older than, days').fill('30');
    await desktop.page.getByLabel('dark').check();
    await desktop.page.getByRole('button', { name: 'Save' }).click();
    await desktop.page.getByText(/^Saved\./).waitFor();
    await picture('settings-dark');
    expect(JSON.parse(readFileSync(join(home, 'settings.json'), 'utf8'))).toMatchObject({ keepDays: 30 });
  });

  test('closed while nothing runs it ends at once, in order', async () => {
    await desktop.app.evaluate(({ BrowserWindow }, place) => BrowserWindow.getAllWindows()[0]!.setBounds(place), bounds);
    expect(await desktop.close()).toBe(0);
    expect(desktop.problems).toEqual([]);
  });

  test('at the next start the window is where it was, and the history and the settings are there', async () => {
    desktop = await Desktop.open({ home });
    const place = await desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.getNormalBounds());
    expect(place).toEqual(bounds);
    const { jobs } = await desktop.ask('listJobs', {});
    expect(jobs.map(({ id, state }) => [id, state])).toEqual([[job, 'succeeded']]);
    const { proved, attempts } = await desktop.ask('showJob', { job });
    expect(proved).toHaveLength(16);
    expect(attempts).toHaveLength(16);
    expect(await desktop.ask('verifyProof', { job, partition: 3 })).toEqual({ valid: true });
    expect((await desktop.ask('getSettings', {})).inUse).toMatchObject({ keepDays: 30 });
    expect(await desktop.page.evaluate(() => document.documentElement.dataset.theme)).toBe('dark');
    await picture('second-start');
  });
});
