// Each file that an older version wrote is opened by this one, and nothing of it is lost. fixtures/make.ts wrote them.
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { jobOf, partitionsOf } from '../contract/state.ts';
import { openForWriting } from './database.ts';
import { backupOf, migrations, versionOf } from './migrations.ts';
import { ownFolder } from './own-history.ts';
import { decodeProof, type StoredProof } from './proof-codec.ts';
import { recover } from './recovery.ts';
import { replayed } from './replay.ts';

const fixtures = join(import.meta.dirname, 'fixtures');
const versions = globSync('version-*.db.gz', { cwd: fixtures }).map((name) => Number(name.match(/\d+/)![0]));

it('there is a file of every version', () => {
  expect(versions.toSorted()).toEqual(migrations.map((_, i) => i + 1));
});

it.each(versions)('a history of version %i opens with all that is in it', (version) => {
  const file = join(ownFolder(), 'history.db');
  writeFileSync(file, gunzipSync(readFileSync(join(fixtures, `version-${version}.db.gz`))));
  const db = openForWriting(file);
  expect(versionOf(db)).toBe(migrations.length);
  expect(existsSync(backupOf(file, version))).toBe(version < migrations.length);
  expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
  expect(db.pragma('foreign_key_check')).toEqual([]);
  expect(recover(db)).toEqual(['left']);
  const phases = (job: number, id: string) => {
    const state = jobOf(replayed(db, job), id)!;
    return [state.phase, ...partitionsOf(state).map(({ phase }) => phase)];
  };
  expect(phases(1, 'good')).toEqual(['succeeded', 'done', 'done']);
  expect(phases(2, 'bad')).toEqual(['failed', 'failed', 'cancelled']);
  expect(phases(3, 'left')).toEqual(['interrupted', 'done', 'cancelled']);
  expect(db.prepare('SELECT job, partition, attempt, phase FROM partitions ORDER BY 1, 2, 3').raw().all()).toEqual([
    [1, 0, 1, 'done'],
    [1, 1, 1, 'done'],
    [2, 0, 1, 'retried'],
    [2, 0, 2, 'failed'],
    [2, 1, 1, 'cancelled'],
    [3, 0, 1, 'done'],
    [3, 1, 1, 'cancelled'],
  ]);
  const proofs = db.prepare('SELECT format, proof, public FROM proofs ORDER BY job, partition').all() as StoredProof[];
  expect(proofs.map((stored) => decodeProof(stored).publicSignals)).toEqual([['0'], ['1'], ['0']]);
  expect(db.prepare("SELECT rowid FROM notes_text WHERE note MATCH 'proof'").pluck().all()).toEqual([1]);
  expect(db.prepare('SELECT sum(succeeded), sum(failed) FROM totals').raw().get()).toEqual([4, 1]);
  db.close();
});
