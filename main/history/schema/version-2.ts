// Version 2: the indexes that pages of a million jobs need.

export const version2 = `
-- By partitions, jobs of one count are in the order of submission, so that a range of it is found in each count. Behind the order of each
-- index stands what else pages are filtered and sorted by, so that rows that are passed over are not read.
DROP INDEX jobs_by_time;
DROP INDEX jobs_by_duration;
DROP INDEX jobs_by_partitions;
CREATE INDEX jobs_by_time ON jobs (facet, submitted_ms, job, duration_us, partitions);
CREATE INDEX jobs_by_duration ON jobs (facet, duration_us, job, submitted_ms, partitions);
CREATE INDEX jobs_by_partitions ON jobs (facet, partitions, submitted_ms, job, duration_us);
-- What is filtered and sorted by of jobs that are named by number: those with a tag, with a text in their note.
CREATE INDEX jobs_by_number ON jobs (job, facet, submitted_ms, duration_us, partitions);
-- What retention asks of every job.
CREATE INDEX jobs_by_age ON jobs (submitted_ms, job, facet, bytes, pinned);
`;
