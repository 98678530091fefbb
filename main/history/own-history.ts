// For tests: a history in memory or in a folder that is gone afterwards.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { onTestFinished } from 'vitest';
import { migrate } from './migrations.ts';

/** A folder that is gone after the test. */
export function ownFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'cuzk-history-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function memoryDatabase() {
  const db = new BetterSqlite3(':memory:');
  db.pragma('foreign_keys = ON');
  migrate(db, ':memory:');
  return db;
}
