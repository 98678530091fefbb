// What the demo's host says of itself and of files: made up.
import { defaultSettings, type Settings } from '../../main/contract/app.ts';
import type { Handlers } from '../../main/contract/requests.ts';

let settings: Settings = { ...defaultSettings, keepDays: 365 };

export const appAnswers: Partial<Handlers> = {
  about: async () => ({
    ...{ app: 'cuzk demo', machine: 'prover-1', historyFile: '/home/prover/.local/share/cuzk/history.db', historyProblem: null },
    sample: { circuit: { zkey: '/samples/merkle.zkey' }, partitions: [{ witness: '/samples/0.wtns' }] },
  }),
  doctor: async () => ({
    findings: [
      { name: 'Node', ok: true, found: '24.22.3' },
      { name: 'native prover', ok: true, found: '/opt/cuzk/cuzk.node' },
      { name: 'arithmetic', ok: true, found: 'AVX-512 IFMA, the fastest' },
      { name: 'processor', ok: true, found: 'AMD EPYC 9755, 128 cores' },
      { name: 'memory', ok: true, found: '1.5 TiB, 1.4 TiB of it free' },
      {
        name: 'cache folder',
        ok: false,
        found: '/home/prover/.cache/cuzk cannot be written to',
        remedy: 'make it writable, or set CUZK_HOME',
      },
    ],
  }),
  getSettings: async () => ({ settings, inUse: defaultSettings }),
  setSettings: async (change) => {
    settings = { ...settings, ...change } as Settings;
    return { settings, inUse: defaultSettings };
  },
  inspectFile: async ({ path }) => {
    const format = path.match(/[^.]+$/)?.[0] ?? '';
    return {
      path,
      format: format === 'json' ? 'input.json' : format,
      curve: null,
      nVars: null,
      insecure: null,
      facts: [['size', '1.2 GiB']],
    };
  },
};
