// Reads the memory that a WebAssembly file asks for from its own sections, before it is compiled or run.
// Specification: WebAssembly core 3.0, binary format, sections 2 (imports) and 5 (memories).
import { CuzkError } from '../contract/errors.ts';

const pageBytes = 65_536;

/**
 * Refuses a file whose memory would start above `limitBytes`, or that could grow without being seen (a 64-bit memory). Whether the
 * rest is valid WebAssembly is for the compiler to say.
 */
export function checkWasmMemory(bytes: Uint8Array, limitBytes: number, file: string): void {
  let at = 8;
  const byte = () => {
    const value = bytes[at++];
    if (value === undefined) throw new CuzkError('WasmInvalid', 'this WebAssembly file is cut off', { file, offset: bytes.length });
    return value;
  };
  const unsigned = () => {
    let value = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      const part = byte();
      value += (part & 0x7f) * 2 ** shift;
      if (part < 0x80) return value;
    }
    throw new CuzkError('WasmInvalid', 'a number in this WebAssembly file is longer than it may be', { file, offset: at });
  };

  while (at < bytes.length) {
    const section = byte();
    const end = unsigned() + at;
    if (section === 5) {
      for (let left = unsigned(); left > 0; left--) {
        const offset = at;
        const flags = byte();
        const initial = unsigned() * pageBytes;
        if (flags & 1) unsigned();
        if (flags & 4) throw new CuzkError('WasmMemory', 'this WebAssembly file uses a 64-bit memory', { file, offset });
        if (initial > limitBytes) {
          throw new CuzkError(
            'WasmMemory',
            `this WebAssembly file asks for ${initial} bytes of memory; ${limitBytes} are allowed`,
            {
              file,
              offset,
              remedy: 'check that this is the .wasm of your circuit',
            },
          );
        }
      }
    }
    at = end;
  }
}
