// What a person or a program can ask of the engine, with the schema that whatever comes over a border is checked by. Files are paths on the
// engine's machine.
import * as z from 'zod';
import { modes, priorities } from './events.ts';

const path = z.string().min(1).max(4096);
const jobId = z.string().min(1).max(200);
const requestKey = z.string().min(1).max(200);

/** One partition: a witness, or the input signals that the circuit's .wasm computes it from. */
const partitionSchema = z.union([z.strictObject({ witness: path }), z.strictObject({ input: path })]);

export const submitSchema = z
  .strictObject({
    circuit: z.strictObject({
      /** The proving key. */
      zkey: path,
      /** Computes witnesses from inputs. */
      wasm: path.optional(),
      /** The constraints: with them a witness is checked before it is proved. */
      r1cs: path.optional(),
      /** The signals' names, for errors. */
      sym: path.optional(),
    }),
    partitions: z.array(partitionSchema).min(1).max(65_536),
    /** What jobs are counted and batched by; the circuit's own name if it is left out. */
    kind: z.string().min(1).max(64).optional(),
    priority: z.enum(priorities).optional(),
    mode: z.enum(modes).optional(),
    /** The only device that may prove it; any if it is left out. */
    device: z.string().min(1).max(64).optional(),
    /** Milliseconds from now by which it is wanted. */
    deadlineMs: z.number().positive().max(1e12).optional(),
    /** The same key with the same content is the same job, however often it is submitted. */
    requestKey: requestKey.optional(),
    /** Milliseconds that one witness may take to compute; 10 minutes if it is left out. */
    witnessTimeoutMs: z.number().positive().max(1e9).optional(),
    /** Prove also with a key that proofs can be forged against. */
    allowInsecureKey: z.boolean().optional(),
  })
  .refine(({ circuit, partitions }) => circuit.wasm !== undefined || partitions.every((one) => 'witness' in one), {
    message: 'inputs need the circuit’s .wasm',
    path: ['circuit', 'wasm'],
  });

export const commandSchemas = {
  submit: submitSchema,
  cancel: z.strictObject({ job: jobId }),
  /** Submits a terminal job's content again, as a new job. */
  retry: z.strictObject({ job: jobId, requestKey: requestKey.optional() }),
  /** Loads a key before it is needed; on every device if none is named. */
  preload: z.strictObject({ circuit: path, device: z.string().min(1).max(64).optional() }),
  /** Takes a key that nobody uses out of memory; from every device if none is named. */
  evict: z.strictObject({ circuit: path, device: z.string().min(1).max(64).optional() }),
} as const;

export type CommandName = keyof typeof commandSchemas;
export type Command<N extends CommandName> = z.infer<(typeof commandSchemas)[N]>;
export type JobRequest = Command<'submit'>;
export type PartitionSource = JobRequest['partitions'][number];

/** What each command answers. */
export interface CommandResults {
  /** `attached`: the request key was known, and no new job was made. */
  submit: { job: string; attached: boolean };
  /** `ended`: whether this call ended the job; false when it was terminal. */
  cancel: { ended: boolean };
  retry: { job: string; attached: boolean };
  /** The devices on which the key is loaded now. */
  preload: { devices: string[] };
  /** The devices that it was evicted from; one where it is in use keeps it. */
  evict: { devices: string[] };
}
