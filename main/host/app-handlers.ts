// What the page asks of the app itself: the machine, its files, its settings.
import { existsSync, readdirSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import packageJson from '../../package.json' with { type: 'json' };
import { factsOf, inspectFile } from '../circuits/file-facts.ts';
import type { AppRequestName, Settings } from '../contract/app.ts';
import type { JobRequest } from '../contract/commands.ts';
import type { Failure } from '../contract/events.ts';
import type { Handlers } from '../contract/requests.ts';
import { packageRoot } from '../package-root.ts';
import type { Prover } from '../prover/prover.ts';
import { findings } from './findings.ts';
import { defined, writeSettings } from './settings.ts';

export interface AppOptions {
  prover: Pick<Prover, 'inspect'>;
  historyFile: string;
  /** Why nothing can be written to the history now. */
  historyProblem: () => Failure | undefined;
  settingsFile: string;
  /** What the engine that runs was made from. */
  settings: Settings;
}

export const appName = `cuzk ${packageJson.version}`;

export function appHandlers({
  prover,
  historyFile,
  historyProblem,
  settingsFile,
  settings: inUse,
}: AppOptions): Pick<Handlers, AppRequestName> {
  let settings = inUse;
  // One change after another: none may undo another's.
  let changing: Promise<unknown> = Promise.resolve();
  return {
    about: async () => ({
      app: appName,
      machine: hostname(),
      historyFile,
      historyProblem: historyProblem() ?? null,
      sample: sampleJob(),
    }),
    inspectFile: async ({ path }) => {
      const inspection = await inspectFile(path, async () => prover);
      const { format, curve, nVars, insecure } = inspection as { format: string } & Record<string, unknown>;
      return {
        ...{ path, format },
        curve: typeof curve === 'string' ? curve : null,
        nVars: typeof nVars === 'number' ? nVars : null,
        insecure: typeof insecure === 'string' ? insecure : null,
        facts: factsOf(inspection),
      };
    },
    doctor: async () => ({ findings: await findings() }),
    getSettings: async () => ({ settings, inUse }),
    setSettings: async (change) => {
      const changed = changing.then(async () => {
        const next = { ...settings, ...defined(change) };
        await writeSettings(settingsFile, next);
        settings = next;
      });
      changing = changed.catch(() => {});
      await changed;
      return { settings, inUse };
    },
  };
}

/** The bundled sample as a job: sixteen leaves of a Merkle tree. Null where its files are not there. */
export function sampleJob(root: string = packageRoot): JobRequest | null {
  const folder = join(root, 'samples', 'merkle');
  const file = (name: string) => join(folder, name);
  const inputs = file('inputs');
  if (![file('circuit.zkey'), file('circuit.wasm'), inputs].every((path) => existsSync(path))) return null;
  const number = (name: string) => Number.parseInt(name, 10);
  const names = readdirSync(inputs)
    .filter((name) => /^\d+\.json$/.test(name))
    .sort((a, b) => number(a) - number(b));
  const circuit = { zkey: file('circuit.zkey'), wasm: file('circuit.wasm'), r1cs: file('circuit.r1cs'), sym: file('circuit.sym') };
  return { circuit, partitions: names.map((name) => ({ input: join(inputs, name) })), kind: 'merkle' };
}
