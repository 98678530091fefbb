// The benchmark's results as text.

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Columns of equal width; the first is aligned left, the others right. */
function table(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const line = (row) => row.map((cell, i) => (i ? cell.padStart(widths[i]) : cell.padEnd(widths[i]))).join('  ');
  return rows.map(line).join('\n');
}

/** Medians of wall time and peak memory, and this prover's ratio to each of the others; then where its time goes. */
export function comparisonTable(results) {
  const names = results[0].provers.map(({ name }) => name);
  const [own, ...others] = names;
  const header = ['circuit', `${own} s`, ...others.flatMap((name) => [`${name} s`, 'ratio']), `${own} MB`];
  const rows = [[...header, ...others.flatMap((name) => [`${name} MB`, 'ratio']), 'first run']];
  for (const { name, curve, firstRunSeconds, provers } of results) {
    const [ours, ...theirs] = provers;
    const figure = ({ runs }, key) => (runs.length ? median(runs.map((run) => run[key])) : undefined);
    const cells = (key, show) => {
      const base = figure(ours, key);
      const beside = theirs.flatMap((prover) => {
        const value = figure(prover, key);
        return value === undefined ? ['-', '-'] : [show(value), (base / value).toFixed(3)];
      });
      return [show(base), ...beside];
    };
    const seconds = cells('wallSeconds', (value) => value.toFixed(2));
    const memory = cells('peakBytes', (value) => (value / 1e6).toFixed(0));
    rows.push([`${name} ${curve}`, ...seconds, ...memory, firstRunSeconds.toFixed(2)]);
  }
  const lines = [table(rows), '', `Medians. ratio: ${own} over the other. first run: seconds with the check of the key's points.`];
  const phases = phaseTable(results);
  if (phases) lines.push('', phases);
  return lines.join('\n');
}

/** One circuit's result for programs: every run, medians, and this prover's ratios to the others. */
export function machineLine({ provers, ...circuit }) {
  const withMedians = provers.map((prover) => {
    if (prover.runs.length === 0) return prover;
    const medians = Object.fromEntries(
      ['wallSeconds', 'cpuSeconds', 'peakBytes'].map((key) => [key, median(prover.runs.map((run) => run[key]))]),
    );
    return { ...prover, medians };
  });
  const [own, ...others] = withMedians;
  const ratios = others
    .filter(({ medians }) => medians)
    .map(({ name, medians }) => ({
      name,
      wall: own.medians.wallSeconds / medians.wallSeconds,
      peak: own.medians.peakBytes / medians.peakBytes,
    }));
  return { event: 'circuit', ...circuit, provers: withMedians, ratios };
}

/** Milliseconds of each phase of this prover, medians; what is outside of all phases is the process itself. */
function phaseTable(results) {
  const ofRuns = results.map(({ provers }) => provers[0].runs.filter((run) => run.timings));
  if (ofRuns.some((runs) => runs.length === 0)) return undefined;
  const phases = [...new Set(ofRuns.flatMap((runs) => Object.keys(runs[0].timings)))];
  const rows = [['milliseconds', ...phases, 'rest', 'all']];
  results.forEach(({ name, curve }, i) => {
    const each = phases.map((phase) => median(ofRuns[i].map((run) => run.timings[phase] ?? 0)));
    const all = median(ofRuns[i].map((run) => run.wallSeconds * 1000));
    const rest = all - each.reduce((sum, ms) => sum + ms, 0);
    rows.push([`${name} ${curve}`, ...[...each, rest, all].map((ms) => ms.toFixed(0))]);
  });
  return table(rows);
}

/** The kernels beside their limits. */
export function microTable(results) {
  const muls = results.filter(({ what }) => what === 'mul');
  const rows = [['', 'ms', 'limit ms', 'times']];
  for (const { what, curve, logN, ms, limitMs } of results.filter(({ what }) => what !== 'mul')) {
    rows.push([`${what} ${curve} 2^${logN}`, ms.toFixed(2), limitMs.toFixed(2), (ms / limitMs).toFixed(2)]);
  }
  const threads = results.find((result) => result.threads)?.threads;
  const units = muls.map(({ field, ns }) => `${field} ${ns.toFixed(2)} ns`).join(', ');
  return `${muls[0].curve}, ${muls[0].isa}, ${threads} threads; one multiplication on one core: ${units}\n${table(rows)}`;
}
