// The text/event-stream format (WHATWG HTML, 9.2.6), as far as the host writes it: `event`, `id` and `data` lines, ended by an empty line.
// EventSource reads it too, but cannot send the token in a header, and does not show the comments by which a silent host says that it is there.

export interface ServerSentEvent {
  /** `message` for one that has no name. */
  name: string;
  data: string;
}

/** Collects pieces of text as they arrive; the ends of lines and of events may fall anywhere in them. */
export class ServerSentEvents {
  #rest = '';
  #name = '';
  #data: string[] = [];
  /** The last id that was sent. */
  lastId: string | undefined;

  /** The events that `text` completes, in order. */
  push(text: string): ServerSentEvent[] {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop()!;
    const complete: ServerSentEvent[] = [];
    for (const line of lines) {
      const [field, value] = fieldOf(line.endsWith('\r') ? line.slice(0, -1) : line);
      if (field === 'data') this.#data.push(value);
      else if (field === 'event') this.#name = value;
      else if (field === 'id') this.lastId = value;
      else if (field === undefined) {
        if (this.#data.length > 0) complete.push({ name: this.#name || 'message', data: this.#data.join('\n') });
        this.#name = '';
        this.#data = [];
      }
    }
    return complete;
  }
}

/** A comment is a field without a name; the empty line has no field at all. */
function fieldOf(line: string): [field: string | undefined, value: string] {
  if (line === '') return [undefined, ''];
  const colon = line.indexOf(':');
  if (colon < 0) return [line, ''];
  return [line.slice(0, colon), line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1)];
}
