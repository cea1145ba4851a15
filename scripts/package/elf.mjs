import { readFile } from "node:fs/promises";

const dynamicType = 2;
const needed = 1;

/**
 * What a program or library for Linux is loaded with.
 * @param file any file
 * @returns null where it is none of 64 bits, or is not linked to anything; else the names of the libraries, and the newest
 * minor version of glibc 2 whose symbols it uses (0 for none)
 */
export async function elfNeeds(file) {
  const bytes = await readFile(file);
  if (bytes.length < 64 || bytes.readUInt32BE(0) !== 0x7f454c46 || bytes[4] !== 2) return null;
  const headers = programHeaders(bytes);
  const dynamic = headers.find(({ type }) => type === dynamicType);
  if (dynamic === undefined) return null;
  const entries = dynamicEntries(bytes, dynamic);
  const strings = entries.find(({ tag }) => tag === 5);
  const length = entries.find(({ tag }) => tag === 10);
  if (strings === undefined || length === undefined) return null;
  const start = offsetOf(headers, strings.value);
  const table = bytes.subarray(start, start + length.value).toString("latin1");
  const libraries = entries
    .filter(({ tag }) => tag === needed)
    .map(({ value }) => table.slice(value, table.indexOf("\0", value)));
  const versions = [...table.matchAll(/GLIBC_2\.(\d+)/g)].map(([, minor]) => Number(minor));
  return { libraries, glibc: Math.max(0, ...versions) };
}

function programHeaders(bytes) {
  const at = Number(bytes.readBigUInt64LE(32));
  const size = bytes.readUInt16LE(54);
  return Array.from({ length: bytes.readUInt16LE(56) }, (_, index) => {
    const header = bytes.subarray(at + index * size);
    const number = (place) => Number(header.readBigUInt64LE(place));
    return { type: header.readUInt32LE(0), offset: number(8), address: number(16), bytes: number(32) };
  });
}

function dynamicEntries(bytes, { offset, bytes: length }) {
  return Array.from({ length: Math.floor(length / 16) }, (_, index) => ({
    tag: Number(bytes.readBigInt64LE(offset + index * 16)),
    value: Number(bytes.readBigUInt64LE(offset + index * 16 + 8)),
  }));
}

/** Where in the file is what is loaded at an address. */
function offsetOf(headers, address) {
  const holder = headers.find(
    ({ type, address: start, bytes }) => type === 1 && address >= start && address < start + bytes,
  );
  return holder === undefined ? address : address - holder.address + holder.offset;
}
