// What the command palette offers, and which of it a person means.
import { type EngineState, isTerminalJob, jobsOf } from '../../main/contract/state.ts';
import { fileName } from '../components/file-name.ts';
import { themes } from '../theme/theme.ts';
import { screens } from './router.ts';

export type PaletteDeed =
  | { do: 'go'; path: string }
  | { do: 'theme'; theme: (typeof themes)[number] }
  | { do: 'hold' }
  | { do: 'help' }
  | { do: 'cancel' | 'retry'; job: string }
  | { do: 'evict'; circuit: string };

export interface PaletteCommand {
  title: string;
  /** The keys that do the same, for people to learn. */
  keys?: string;
  deed: PaletteDeed;
}

export function paletteCommands(state: EngineState): PaletteCommand[] {
  const jobs = jobsOf(state);
  const named = ({ job, kind }: { job: string; kind: string }) => `${kind} ${job}`;
  return [
    ...screens.map(({ path, title, key }) => ({
      title: `Go to ${title}`,
      keys: `G ${key.toUpperCase()}`,
      deed: { do: 'go' as const, path },
    })),
    { title: 'Hold the picture still, or go on', keys: 'H', deed: { do: 'hold' } },
    { title: 'List the keys', keys: '?', deed: { do: 'help' } },
    ...themes.map((theme) => ({ title: `Theme: ${theme}`, deed: { do: 'theme' as const, theme } })),
    ...jobs
      .filter(({ phase }) => !isTerminalJob(phase))
      .map((job) => ({ title: `Cancel ${named(job)}`, deed: { do: 'cancel' as const, job: job.job } })),
    ...jobs
      .filter(({ phase }) => isTerminalJob(phase) && phase !== 'succeeded')
      .map((job) => ({ title: `Run ${named(job)} again`, deed: { do: 'retry' as const, job: job.job } })),
    ...[...new Set(Object.values(state.keys).map(({ circuit }) => circuit))].map((circuit) => ({
      title: `Evict ${fileName(circuit)}`,
      deed: { do: 'evict' as const, circuit },
    })),
  ];
}

/** The commands in whose title each word of the query begins a word, or stands at all; those that begin with the query first. */
export function matching(commands: readonly PaletteCommand[], query: string): PaletteCommand[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const rank = ({ title }: PaletteCommand) => {
    const text = title.toLowerCase();
    if (!words.every((word) => text.includes(word))) return undefined;
    return words.reduce((sum, word) => sum + (text.startsWith(word) ? 0 : text.includes(` ${word}`) ? 1 : 2), 0);
  };
  return commands
    .flatMap((command) => {
      const value = rank(command);
      return value === undefined ? [] : [{ command, value }];
    })
    .sort((a, b) => a.value - b.value)
    .map(({ command }) => command);
}
