// The settings as a person writes them down: numbers in the units that are said aloud, nothing for "as usual".
import { type Settings, settingsSchema } from '../../main/contract/app.ts';

export interface SettingsField {
  name: Exclude<keyof Settings, 'notify'>;
  label: string;
  unit: string;
  hint: string;
  /** What one of the unit is in the setting's own. */
  factor: number;
  /** Whether the engine is made from it, so that it counts from the next start. */
  isEngines: boolean;
}

const gibibyte = 2 ** 30;

export const settingsFields: readonly SettingsField[] = [
  {
    name: 'memoryBytes',
    label: 'Memory for keys and proofs',
    unit: 'GiB',
    hint: 'Usually 90 % of the machine’s',
    factor: gibibyte,
    isEngines: true,
  },
  { name: 'threads', label: 'Threads of the prover', unit: '', hint: 'Usually all cores', factor: 1, isEngines: true },
  { name: 'synthesisWorkers', label: 'Synthesis workers', unit: '', hint: 'Usually two', factor: 1, isEngines: true },
  {
    name: 'deviceWorkers',
    label: 'Workers for each device',
    unit: '',
    hint: 'Usually two: one finishes while the other’s kernels run',
    factor: 1,
    isEngines: true,
  },
  {
    name: 'keepDays',
    label: 'Delete jobs older than',
    unit: 'days',
    hint: 'Usually never; pinned jobs stay',
    factor: 1,
    isEngines: false,
  },
  {
    name: 'keepBytes',
    label: 'Delete the oldest jobs beyond',
    unit: 'GiB',
    hint: 'Usually never; pinned jobs stay',
    factor: gibibyte,
    isEngines: false,
  },
];

export type SettingsDraft = Record<SettingsField['name'], string> & { notify: boolean };

export function draftOf(settings: Settings): SettingsDraft {
  const texts = settingsFields.map(({ name, factor }) => [name, textOf(settings[name], factor)]);
  return { ...Object.fromEntries(texts), notify: settings.notify } as SettingsDraft;
}

/** As few digits as say it. */
export const textOf = (value: number | null, factor: number): string =>
  value === null ? '' : String(Number((value / factor).toFixed(3)));

/** The settings that a draft stands for, or what is wrong with it, field by field. */
export function readDraft(draft: SettingsDraft): { settings: Settings } | { problems: Partial<Record<keyof Settings, string>> } {
  const problems: Partial<Record<keyof Settings, string>> = {};
  const read: Record<string, unknown> = { notify: draft.notify };
  for (const { name, factor } of settingsFields) {
    const text = draft[name].trim().replace(',', '.');
    if (text === '') read[name] = null;
    else if (!/^\d+(\.\d+)?$/.test(text)) problems[name] = 'a number, or nothing for as usual';
    else read[name] = factor === 1 ? Number(text) : Math.round(Number(text) * factor);
  }
  if (Object.keys(problems).length > 0) return { problems };
  const parsed = settingsSchema.safeParse(read);
  if (parsed.success) return { settings: parsed.data };
  for (const { path, code, message, ...issue } of parsed.error.issues) {
    const name = path[0] as SettingsField['name'];
    const { unit = '', factor = 1 } = settingsFields.find((field) => field.name === name) ?? {};
    const bound = 'minimum' in issue ? issue.minimum : 'maximum' in issue ? issue.maximum : undefined;
    problems[name] ??=
      code === 'too_small' || code === 'too_big'
        ? `at ${code === 'too_small' ? 'least' : 'most'} ${textOf(Number(bound), factor)} ${unit}`.trim()
        : code === 'invalid_type'
          ? 'a whole number'
          : message;
  }
  return { problems };
}
