// A job's proofs, as they are kept.
import type { Database } from 'better-sqlite3';
import type { ProofResult } from '../../prover/prover.ts';
import { decodeProof, type StoredProof } from '../proof-codec.ts';

export type KeptProof = Pick<ProofResult, 'proof' | 'publicSignals'> & { partition: number };

/** In the order of the partitions; those that are not proved are missing. */
export function proofsOf(db: Database, job: number): KeptProof[] {
  const rows = db.prepare('SELECT partition, format, proof, public FROM proofs WHERE job = ? ORDER BY partition').all(job);
  return (rows as ({ partition: number } & StoredProof)[]).map((row) => ({ partition: row.partition, ...decodeProof(row) }));
}

/** The proof of one partition; undefined when none is kept. */
export function proofOf(db: Database, job: number, partition: number): KeptProof | undefined {
  const row = db.prepare('SELECT format, proof, public FROM proofs WHERE job = ? AND partition = ?').get(job, partition);
  return row === undefined ? undefined : { partition, ...decodeProof(row as StoredProof) };
}
