// Where a command's words go: a terminal gets a progress line, a pipe plain lines, --json one object per line on stdout.
import type { CuzkError } from '../contract/errors.ts';
import { formatDuration, printable, printableLines } from './format.ts';
import { timeLeftMs } from './progress-model.ts';

export interface Streams {
  stdout: NodeJS.WritableStream & { isTTY?: boolean };
  stderr: NodeJS.WritableStream & { isTTY?: boolean; columns?: number };
}

export interface OutputOptions {
  json: boolean;
  debug: boolean;
}

/** Into a pipe, a long computation says where it is this often. */
const plainEveryMs = 10_000;
const barWidth = 24;

export class Output {
  readonly #streams: Streams;
  readonly #json: boolean;
  readonly #debug: boolean;
  readonly #startedAt = performance.now();
  #saidAt = this.#startedAt;
  #barShown = false;
  /** The last progress event, without its estimate: the same is not said twice. */
  #lastStep = '';

  constructor(streams: Streams, { json, debug }: OutputOptions) {
    this.#streams = streams;
    this.#json = json;
    this.#debug = debug;
  }

  /** A result: the text for people, in which names are `printable`, or the event for machines. */
  result(event: { event: string } & Record<string, unknown>, text: string): void {
    this.clear();
    this.#streams.stdout.write(this.#json ? `${JSON.stringify(event)}\n` : `${printableLines(text)}\n`);
  }

  /** A result that is a file's content: goes out as it is, so that it can be piped into a file. */
  raw(event: { event: string } & Record<string, unknown>, content: string): void {
    if (this.#json) this.result(event, '');
    // A file gets the bytes alone; on a terminal the prompt belongs on a line of its own.
    else this.#streams.stdout.write(this.#streams.stdout.isTTY ? `${content}\n` : content);
  }

  /** Something that the person should know, but did not ask for, in one line. */
  note(event: { event: string } & Record<string, unknown>, text: string): void {
    this.clear();
    if (this.#json) this.#streams.stdout.write(`${JSON.stringify(event)}\n`);
    else this.#streams.stderr.write(`${printable(text)}\n`);
  }

  /** How far the computation is; `fraction` from 0 to 1. */
  progress(phase: string, title: string, fraction: number, about: Record<string, unknown> = {}): void {
    const now = performance.now();
    const left = timeLeftMs(fraction, now - this.#startedAt);
    if (this.#json) {
      const event = { event: 'progress', phase, percent: Math.floor(fraction * 100), ...about };
      const step = JSON.stringify(event);
      if (step === this.#lastStep) return;
      this.#lastStep = step;
      this.#streams.stdout.write(`${JSON.stringify(left === undefined ? event : { ...event, leftMs: Math.round(left) })}\n`);
      return;
    }
    const rest = left === undefined ? '' : `  ${formatDuration(left)} left`;
    const percent = `${Math.floor(fraction * 100)}`.padStart(3);
    if (this.#streams.stderr.isTTY) {
      const filled = Math.round(fraction * barWidth);
      const line = `${'█'.repeat(filled)}${'░'.repeat(barWidth - filled)} ${percent}%  ${printable(title)}${rest}`;
      this.#streams.stderr.write(`\r\x1b[2K${line.slice(0, (this.#streams.stderr.columns || 80) - 1)}`);
      this.#barShown = true;
    } else if (now - this.#saidAt >= plainEveryMs) {
      this.#saidAt = now;
      this.#streams.stderr.write(`${percent}%  ${printable(title)}${rest}\n`);
    }
  }

  /** Takes the progress line away. */
  clear(): void {
    if (!this.#barShown) return;
    this.#streams.stderr.write('\r\x1b[2K');
    this.#barShown = false;
  }

  fail(error: CuzkError): void {
    this.clear();
    const { code, message, file, offset, remedy } = error;
    if (this.#json) {
      this.#streams.stdout.write(`${JSON.stringify({ event: 'error', code, message, file, offset, remedy })}\n`);
      return;
    }
    const place = file && `  file: ${printable(file)}${offset === undefined ? '' : `, at byte ${offset}`}\n`;
    const advice = remedy && `  try: ${printable(remedy)}\n`;
    this.#streams.stderr.write(`error: ${printable(message)}\n${place ?? ''}${advice ?? ''}`);
    if (this.#debug) this.#streams.stderr.write(printableLines(`  code: ${code}\n${error.stack}\n${causes(error)}`));
  }
}

function causes(error: Error): string {
  let text = '';
  for (let cause = error.cause; cause instanceof Error; cause = cause.cause) text += `caused by ${cause.stack}\n`;
  return text;
}
