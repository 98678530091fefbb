// What the terminal shows: numbers as people read them, and names from outside.
export { formatBytes, formatCount, formatDuration, plural } from '../contract/units.ts';

const escapes: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function escaped(character: string): string {
  const code = character.charCodeAt(0);
  return escapes[character] ?? (code < 256 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16)}`);
}

/** A name from outside on one line: what would end the line, steer the terminal or turn the text around is shown, not done. */
export const printable = (name: string): string => name.replace(/[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu, escaped);

/** The same for a text of several lines, whose own line ends stay. */
export const printableLines = (text: string): string => text.split('\n').map(printable).join('\n');
