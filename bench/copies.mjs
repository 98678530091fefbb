// Several copies of a circuit side by side, sharing nothing but the constant 1: how a circuit is made that circom2, which has 4 GiB of
// memory at most, cannot compile in one piece.

import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';

/** The sections of an iden3 binary file by type, as buffers. */
async function sectionsOf(path) {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const read = async (position, length) => (await file.read(Buffer.alloc(length), 0, length, position)).buffer;
    const sections = new Map();
    for (let at = 12; at < size; ) {
      const head = await read(at, 12);
      const length = Number(head.readBigUInt64LE(4));
      sections.set(head.readUInt32LE(0), await read(at + 12, length));
      at += 12 + length;
    }
    return sections;
  } finally {
    await file.close();
  }
}

/** Counts of wires by kind, from the header of an .r1cs file (section 1: field, modulus, four counts, labels, constraints). */
function headerOf(section) {
  const field = section.readUInt32LE(0);
  const [wires, outputs, publicInputs, privateInputs] = [0, 4, 8, 12].map((at) => section.readUInt32LE(4 + field + at));
  const labels = section.readBigUInt64LE(4 + field + 16);
  return { field, wires, outputs, publicInputs, privateInputs, labels, constraints: section.readUInt32LE(4 + field + 24) };
}

/** Where wire w of copy i goes: outputs of all copies first, then public inputs, private inputs, and the rest. */
function wireMap({ wires, outputs, publicInputs, privateInputs }, copies) {
  const kinds = [outputs, publicInputs, privateInputs, wires - 1 - outputs - publicInputs - privateInputs];
  return (wire, copy) => {
    if (wire === 0) return 0;
    let [first, start] = [1, 1];
    for (const count of kinds) {
      if (wire < first + count) return start + copy * count + (wire - first);
      first += count;
      start += copies * count;
    }
    throw new RangeError(`wire ${wire} of ${wires}`);
  };
}

/** Writes a file in pieces: magic and version, then for each section its type, length and pieces. */
async function writeSections(path, magic, version, sections) {
  const stream = createWriteStream(path);
  const write = async (piece) => {
    if (!stream.write(piece)) await once(stream, 'drain');
  };
  const head = Buffer.alloc(12);
  head.write(magic, 'latin1');
  head.writeUInt32LE(version, 4);
  head.writeUInt32LE(sections.length, 8);
  await write(head);
  for (const { type, length, pieces } of sections) {
    const start = Buffer.alloc(12);
    start.writeUInt32LE(type, 0);
    start.writeBigUInt64LE(BigInt(length), 4);
    await write(start);
    for (const piece of pieces) await write(piece);
  }
  stream.end();
  await once(stream, 'finish');
}

/** Writes the constraint system `to` that is `copies` times that of `from`. */
export async function copyR1cs(from, to, copies) {
  const sections = await sectionsOf(from);
  const header = headerOf(sections.get(1));
  const { field } = header;
  const newWire = wireMap(header, copies);
  const wires = 1 + copies * (header.wires - 1);

  const newHeader = Buffer.from(sections.get(1));
  const counts = [wires, copies * header.outputs, copies * header.publicInputs, copies * header.privateInputs];
  for (const [i, count] of counts.entries()) newHeader.writeUInt32LE(count, 4 + field + 4 * i);
  newHeader.writeBigUInt64LE(1n + BigInt(copies) * (header.labels - 1n), 4 + field + 16);
  newHeader.writeUInt32LE(copies * header.constraints, 4 + field + 24);

  // Three linear combinations per constraint: a count, then wire and coefficient of each term.
  function* constraints() {
    for (let copy = 0; copy < copies; copy++) {
      const piece = Buffer.from(sections.get(2));
      for (let at = 0; at < piece.length; ) {
        const terms = piece.readUInt32LE(at);
        at += 4;
        for (let i = 0; i < terms; i++, at += 4 + field) piece.writeUInt32LE(newWire(piece.readUInt32LE(at), copy), at);
      }
      yield piece;
    }
  }
  const labels = Buffer.alloc(8 * wires);
  for (let copy = 0; copy < copies; copy++) {
    for (let wire = 1; wire < header.wires; wire++) {
      const label = sections.get(3).readBigUInt64LE(8 * wire) + BigInt(copy) * (header.labels - 1n);
      labels.writeBigUInt64LE(label, 8 * newWire(wire, copy));
    }
  }
  await writeSections(to, 'r1cs', 1, [
    { type: 1, length: newHeader.length, pieces: [newHeader] },
    { type: 2, length: copies * sections.get(2).length, pieces: constraints() },
    { type: 3, length: labels.length, pieces: [labels] },
  ]);
}

/** Writes the witness `to` of the circuit that copyR1cs made of `r1cs`, from one witness for each copy. */
export async function joinWitnesses(r1cs, witnesses, to) {
  const header = headerOf((await sectionsOf(r1cs)).get(1));
  const newWire = wireMap(header, witnesses.length);
  const wires = 1 + witnesses.length * (header.wires - 1);
  const values = Buffer.alloc(header.field * wires);
  let newHeader;
  for (const [copy, path] of witnesses.entries()) {
    const sections = await sectionsOf(path);
    newHeader = sections.get(1);
    for (let wire = 0; wire < header.wires; wire++) {
      sections.get(2).copy(values, header.field * newWire(wire, copy), header.field * wire, header.field * (wire + 1));
    }
  }
  newHeader.writeUInt32LE(wires, newHeader.length - 4);
  await writeSections(to, 'wtns', 2, [
    { type: 1, length: newHeader.length, pieces: [newHeader] },
    { type: 2, length: values.length, pieces: [values] },
  ]);
}
