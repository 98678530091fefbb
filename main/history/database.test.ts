import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { expect, it } from 'vitest';
import { lockForWriting, openExisting, openForReading, openForWriting, openHistory } from './database.ts';
import { historyFile } from './location.ts';
import { backupOf, migrate, migrations, versionOf } from './migrations.ts';
import { ownFolder } from './own-history.ts';

const ownFile = () => join(ownFolder(), 'cuzk', 'history.db');
const code = (name: string) => expect.objectContaining({ code: name, remedy: expect.any(String) });

it('the history is in CUZK_HOME, or in the user’s data folder', () => {
  expect(historyFile({ CUZK_HOME: '/a' })).toBe('/a/history.db');
  expect(historyFile({ XDG_DATA_HOME: '/b' })).toBe('/b/cuzk/history.db');
  expect(historyFile({})).toMatch(/\.local\/share\/cuzk\/history\.db$/);
});

it('folder and files are for the person alone, with a write-ahead log and every commit on the disk', async () => {
  const file = ownFile();
  const { db, lock } = await openHistory(file);
  expect(db.pragma('journal_mode', { simple: true })).toBe('wal');
  expect(db.pragma('synchronous', { simple: true })).toBe(2);
  expect(statSync(dirname(file)).mode & 0o777).toBe(0o700);
  for (const name of [file, `${file}-wal`]) expect(statSync(name).mode & 0o777).toBe(0o600);
  db.close();
  lock?.release();
});

it('the second to open reads, until the first has gone', async () => {
  const file = ownFile();
  const first = await openHistory(file);
  const second = await openHistory(file);
  expect(first.lock).toBeDefined();
  expect(second.lock).toBeUndefined();
  expect(() => second.db.exec("INSERT INTO runs (started_ms, app) VALUES (1, 'x')")).toThrow(/readonly/);
  first.db.exec("INSERT INTO runs (started_ms, app) VALUES (1, 'x')");
  expect(second.db.prepare('SELECT count(*) FROM runs').pluck().get()).toBe(1);
  first.db.close();
  first.lock!.release();
  const third = await openHistory(file);
  expect(third.lock).toBeDefined();
  for (const { db, lock } of [second, third]) {
    db.close();
    lock?.release();
  }
});

it('a killed process gives the lock back', async () => {
  const file = ownFile();
  (await openHistory(file)).lock!.release();
  const script = `
    import { lockForWriting } from ${JSON.stringify(join(import.meta.dirname, 'database.ts'))};
    globalThis.lock = lockForWriting(${JSON.stringify(file)});
    console.log(lock ? 'locked' : 'busy');
    setInterval(() => lock, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [said] = await new Promise<string[]>((resolve) => child.stdout.setEncoding('utf8').once('data', (text) => resolve([text])));
  expect(said).toContain('locked');
  expect(lockForWriting(file)).toBeUndefined();
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;
  const lock = lockForWriting(file);
  expect(lock).toBeDefined();
  lock!.release();
});

it('a database of a newer version is refused by name, with its backup, and stays as it is', () => {
  const file = join(ownFolder(), 'history.db');
  const db = new BetterSqlite3(file);
  db.pragma(`user_version = ${migrations.length + 1}`);
  db.close();
  const before = readFileSync(file);
  for (const open of [openForWriting, openForReading])
    expect(() => open(file)).toThrow(
      expect.objectContaining({ code: 'HistoryNewer', remedy: expect.stringContaining(backupOf(file, migrations.length)) }),
    );
  expect(readFileSync(file)).toEqual(before);
});

it('a migration leaves a backup of the version before, also of what was still in the write-ahead log', () => {
  const file = join(ownFolder(), 'history.db');
  const db = openForWriting(file);
  db.exec("INSERT INTO runs (started_ms, app) VALUES (1, 'old')");
  migrate(db, file, [...migrations, 'ALTER TABLE runs ADD COLUMN more TEXT']);
  expect(versionOf(db)).toBe(migrations.length + 1);
  expect(db.prepare('SELECT * FROM runs').get()).toMatchObject({ app: 'old', more: null });
  db.close();
  const backup = openExisting(backupOf(file, migrations.length));
  expect(backup.prepare('SELECT * FROM runs').get()).toEqual({ run: 1, started_ms: 1, app: 'old' });
  expect(statSync(backupOf(file, migrations.length)).mode & 0o077).toBe(statSync(file).mode & 0o077);
  backup.close();
});

it('a migration that fails leaves the version before it, whole; one that succeeded before it stays', () => {
  const file = join(ownFolder(), 'history.db');
  const db = openForWriting(file);
  const good = 'CREATE TABLE good (a); INSERT INTO good VALUES (1)';
  const bad = 'CREATE TABLE half (a); INSERT INTO nowhere VALUES (1)';
  expect(() => migrate(db, file, [...migrations, good, bad])).toThrow(/nowhere/);
  expect(versionOf(db)).toBe(migrations.length + 1);
  expect(db.prepare('SELECT a FROM good').pluck().get()).toBe(1);
  expect(() => db.prepare('SELECT a FROM half')).toThrow(/no such table/);
  db.close();
});

it('a new file is no reason for a backup', () => {
  const file = join(ownFolder(), 'history.db');
  openForWriting(file).close();
  expect(existsSync(backupOf(file, 0))).toBe(false);
});

it.each(['no database at all, only some text that is long enough to be looked at '.repeat(20), 'x'.repeat(4096)])(
  'what is no database is refused, and not written to',
  (content) => {
    const file = join(ownFolder(), 'history.db');
    writeFileSync(file, content);
    for (const open of [openForWriting, openForReading]) expect(() => open(file)).toThrow(code('HistoryDamaged'));
    expect(readFileSync(file, 'utf8')).toBe(content);
  },
);

it('a folder that cannot be written to, and a file in the folder’s place, are told', async () => {
  const folder = ownFolder();
  writeFileSync(join(folder, 'file'), '');
  await expect(openHistory(join(folder, 'file', 'history.db'))).rejects.toThrow(code('HistoryUnwritable'));
  mkdirSync(join(folder, 'history.db'));
  await expect(openHistory(join(folder, 'history.db'))).rejects.toThrow(code('HistoryUnwritable'));
  // root may write everywhere.
  if (process.getuid?.() === 0) return;
  chmodSync(folder, 0o500);
  await expect(openHistory(join(folder, 'sub', 'history.db'))).rejects.toThrow(code('HistoryUnwritable'));
});

it('reading what is not there says so', () => {
  expect(() => openExisting(join(ownFolder(), 'history.db'))).toThrow(code('HistoryMissing'));
});
