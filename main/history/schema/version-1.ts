// Version 1 of the schema. Times: `_ms` since 1970 by the wall clock, `_us` microseconds of a duration. Sizes in bytes.

/** The parts of a partition's time, a column each: contract/state.ts, spanNames. */
const spans = [
  'queue_wait_us',
  'memory_wait_us',
  'key_wait_us',
  'witness_us',
  'thread_wait_us',
  'synthesis_us',
  'device_queue_us',
  'lock_wait_us',
  'kernels_us',
  'finalizing_us',
  'verify_us',
];

export const version1 = `
-- One run of an engine: what its jobs' events refer to.
CREATE TABLE runs (
  run INTEGER PRIMARY KEY,
  started_ms INTEGER NOT NULL,
  -- The program that ran, with its version.
  app TEXT NOT NULL
) STRICT;

-- A run's events that belong to no job, in chunks: 'workers' (few, and needed to replay any job) and 'resources' (memory and keys).
CREATE TABLE run_events (
  run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
  topic TEXT NOT NULL CHECK (topic IN ('workers', 'resources')),
  first_seq INTEGER NOT NULL,
  last_seq INTEGER NOT NULL,
  data ANY NOT NULL,
  PRIMARY KEY (run, topic, first_seq)
) STRICT;

-- What each key's file said when it was opened last.
CREATE TABLE circuits (
  circuit TEXT PRIMARY KEY,
  curve TEXT NOT NULL,
  n_vars INTEGER NOT NULL,
  n_public INTEGER NOT NULL,
  domain_size INTEGER NOT NULL,
  key_bytes INTEGER NOT NULL,
  proof_bytes INTEGER NOT NULL,
  insecure TEXT,
  opened_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE devices (
  device INTEGER PRIMARY KEY,
  -- 'cpu', 'cuda:0'
  name TEXT NOT NULL UNIQUE,
  maker TEXT,
  memory_bytes INTEGER
) STRICT;

-- The combinations of what jobs are filtered by that occur, and how many jobs each has. They are few (states x kinds and circuits x sets of
-- devices x priorities), so that a filter is a list of facets, and a sorted page a merge of their sorted jobs, whatever the combination.
CREATE TABLE facets (
  facet INTEGER PRIMARY KEY,
  state TEXT NOT NULL,
  kind TEXT NOT NULL,
  circuit TEXT NOT NULL,
  -- Of the partitions' devices, sorted, with commas.
  devices TEXT NOT NULL,
  priority TEXT NOT NULL,
  jobs INTEGER NOT NULL DEFAULT 0,
  UNIQUE (state, kind, circuit, devices, priority)
) STRICT;

CREATE TABLE jobs (
  job INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  facet INTEGER NOT NULL REFERENCES facets,
  run INTEGER REFERENCES runs,
  mode TEXT NOT NULL,
  partitions INTEGER NOT NULL,
  -- Partitions that are done.
  done INTEGER NOT NULL DEFAULT 0,
  submitted_ms INTEGER NOT NULL,
  -- From submission to the end; -1 until then.
  duration_us INTEGER NOT NULL DEFAULT -1,
  deadline_ms INTEGER,
  -- The id of the job that this one does again.
  retry_of TEXT,
  error TEXT,
  pinned INTEGER NOT NULL DEFAULT 0,
  -- Bytes of its events, proofs and request, for retention by size.
  bytes INTEGER NOT NULL DEFAULT 0,
  -- Where an imported job ran; null for this machine's own.
  origin TEXT
) STRICT;
-- A page's order within a facet, and behind it what ranges are checked by, so that no row outside the page is read.
CREATE INDEX jobs_by_time ON jobs (facet, submitted_ms, job, duration_us);
CREATE INDEX jobs_by_duration ON jobs (facet, duration_us, job, submitted_ms);
CREATE INDEX jobs_by_partitions ON jobs (facet, partitions, job, submitted_ms, duration_us);
CREATE INDEX jobs_by_run ON jobs (run);
CREATE INDEX jobs_pinned ON jobs (job) WHERE pinned = 1;

CREATE TRIGGER jobs_counted AFTER INSERT ON jobs BEGIN
  UPDATE facets SET jobs = jobs + 1 WHERE facet = new.facet;
END;
CREATE TRIGGER jobs_recounted AFTER UPDATE OF facet ON jobs WHEN old.facet <> new.facet BEGIN
  UPDATE facets SET jobs = jobs - 1 WHERE facet = old.facet;
  UPDATE facets SET jobs = jobs + 1 WHERE facet = new.facet;
END;
CREATE TRIGGER jobs_discounted AFTER DELETE ON jobs BEGIN
  UPDATE facets SET jobs = jobs - 1 WHERE facet = old.facet;
END;

-- What was asked for: JSON, deflated.
CREATE TABLE requests (
  job INTEGER PRIMARY KEY REFERENCES jobs ON DELETE CASCADE,
  data BLOB NOT NULL
) STRICT;

-- A job's events in chunks: text while it runs, one deflated piece afterwards (events-codec.ts).
CREATE TABLE events (
  job INTEGER NOT NULL REFERENCES jobs ON DELETE CASCADE,
  first_seq INTEGER NOT NULL,
  data ANY NOT NULL,
  PRIMARY KEY (job, first_seq)
) STRICT;

-- Every attempt at every partition that has ended; the last attempt is the partition.
CREATE TABLE partitions (
  job INTEGER NOT NULL REFERENCES jobs ON DELETE CASCADE,
  partition INTEGER NOT NULL,
  attempt INTEGER NOT NULL,
  -- 'done', 'failed', 'cancelled', or 'retried' of an attempt that was given up.
  phase TEXT NOT NULL,
  device INTEGER REFERENCES devices,
  worker INTEGER,
  ${spans.map((name) => `${name} INTEGER`).join(',\n  ')},
  error TEXT,
  PRIMARY KEY (job, partition, attempt)
) STRICT, WITHOUT ROWID;

-- Verified proofs and their public signals (proof-codec.ts).
CREATE TABLE proofs (
  job INTEGER NOT NULL REFERENCES jobs ON DELETE CASCADE,
  partition INTEGER NOT NULL,
  format INTEGER NOT NULL,
  proof BLOB NOT NULL,
  public BLOB NOT NULL,
  PRIMARY KEY (job, partition)
) STRICT, WITHOUT ROWID;

CREATE TABLE notes (
  job INTEGER PRIMARY KEY REFERENCES jobs ON DELETE CASCADE,
  note TEXT NOT NULL
) STRICT;
CREATE VIRTUAL TABLE notes_text USING fts5 (note, content = 'notes', content_rowid = 'job', tokenize = 'trigram');
CREATE TRIGGER notes_found AFTER INSERT ON notes BEGIN
  INSERT INTO notes_text (rowid, note) VALUES (new.job, new.note);
END;
CREATE TRIGGER notes_changed AFTER UPDATE ON notes BEGIN
  INSERT INTO notes_text (notes_text, rowid, note) VALUES ('delete', old.job, old.note);
  INSERT INTO notes_text (rowid, note) VALUES (new.job, new.note);
END;
CREATE TRIGGER notes_lost AFTER DELETE ON notes BEGIN
  INSERT INTO notes_text (notes_text, rowid, note) VALUES ('delete', old.job, old.note);
END;

CREATE TABLE tags (
  job INTEGER NOT NULL REFERENCES jobs ON DELETE CASCADE,
  tag TEXT NOT NULL,
  PRIMARY KEY (job, tag)
) STRICT, WITHOUT ROWID;
CREATE INDEX tags_by_tag ON tags (tag, job);

-- What this machine's own jobs come to, by day (of submission, UTC, in days since 1970): rows with a device are of the attempts on it, rows
-- with '' of the jobs themselves. 'times' are histograms by name (histogram.ts).
CREATE TABLE totals (
  day INTEGER NOT NULL,
  kind TEXT NOT NULL,
  circuit TEXT NOT NULL,
  device TEXT NOT NULL,
  succeeded INTEGER NOT NULL DEFAULT 0,
  failed INTEGER NOT NULL DEFAULT 0,
  cancelled INTEGER NOT NULL DEFAULT 0,
  interrupted INTEGER NOT NULL DEFAULT 0,
  retried INTEGER NOT NULL DEFAULT 0,
  times BLOB NOT NULL,
  PRIMARY KEY (day, kind, circuit, device)
) STRICT;
`;
