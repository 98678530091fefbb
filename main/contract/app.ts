// What the page can ask of the app itself: the machine, its files, its settings.
import * as z from 'zod';
import type { JobRequest } from './commands.ts';
import type { Failure } from './events.ts';

export const settingsSchema = z.strictObject({
  /** What keys and proofs may take together, in bytes; null: most of the machine's memory. */
  memoryBytes: z
    .number()
    .int()
    .min(64 << 20)
    .max(2 ** 50)
    .nullable(),
  /** Threads of the prover; null: all of the machine. */
  threads: z.number().int().min(1).max(1024).nullable(),
  synthesisWorkers: z.number().int().min(1).max(64).nullable(),
  /** Workers for each device; null: two. */
  deviceWorkers: z.number().int().min(1).max(16).nullable(),
  /** Jobs older than this are deleted at the start, but for pinned ones; null: none. */
  keepDays: z.number().int().min(1).max(36_500).nullable(),
  /** The oldest jobs are deleted at the start until the rest takes no more; null: none. */
  keepBytes: z
    .number()
    .int()
    .min(1 << 20)
    .max(2 ** 50)
    .nullable(),
  /** Whether the system tells when a job ends while the window is not in front. */
  notify: z.boolean(),
});
export type Settings = z.infer<typeof settingsSchema>;

export const defaultSettings: Settings = {
  memoryBytes: null,
  threads: null,
  synthesisWorkers: null,
  deviceWorkers: null,
  keepDays: null,
  keepBytes: null,
  notify: true,
};

export const appSchemas = {
  about: z.strictObject({}),
  /** Reads a file's header, as `cuzk inspect` does. */
  inspectFile: z.strictObject({ path: z.string().min(1).max(4096) }),
  doctor: z.strictObject({}),
  getSettings: z.strictObject({}),
  /** Replaces what is named. What the engine is made from counts from its next start. */
  setSettings: settingsSchema.partial(),
} as const;

export type AppRequestName = keyof typeof appSchemas;
export type AppRequest<N extends AppRequestName> = z.infer<(typeof appSchemas)[N]>;

export interface About {
  /** `cuzk 0.1.0` */
  app: string;
  /** Where the engine runs: the machine's name. */
  machine: string;
  historyFile: string;
  /** Why the history cannot be written, if it cannot. */
  historyProblem: Failure | null;
  /** A job that can be proved without any file of the person's; null where its files are not there. */
  sample: JobRequest | null;
}

/** What is known of a file from its header, or from all of it where it is short; the words of `cuzk inspect`. */
export interface FileFacts {
  path: string;
  /** `zkey`, `wtns`, `r1cs`, `sym`, `wasm`, `input.json`, `verification_key.json`, `proof.json`, `public.json`. */
  format: string;
  curve: string | null;
  /** How many values a witness of it has: of keys, constraint systems and witnesses. */
  nVars: number | null;
  /** Why proofs can be forged against it, of a key. */
  insecure: string | null;
  /** Name and value, for people, in the order in which they are read. */
  facts: [name: string, value: string][];
}

export interface Finding {
  name: string;
  ok: boolean;
  /** What was found, or what is wrong. */
  found: string;
  remedy?: string | undefined;
}

export interface AppResults {
  about: About;
  inspectFile: FileFacts;
  /** What this machine has for proving, and what it lacks. */
  doctor: { findings: Finding[] };
  /** `inUse`: what the engine that runs was made from. */
  getSettings: { settings: Settings; inUse: Settings };
  setSettings: { settings: Settings; inUse: Settings };
}
