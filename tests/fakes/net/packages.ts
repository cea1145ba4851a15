import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { crc32 } from "node:zlib";

/** An npm package as a tarball: `files` maps a path inside the package to its bytes. */
export function tarball(files: Record<string, string | Buffer>): Buffer {
  const folder = mkdtempSync(join(tmpdir(), "parley-tarball-"));
  try {
    for (const [path, bytes] of Object.entries(files)) {
      const file = join(folder, "package", path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, bytes);
    }
    execFileSync("tar", ["-czf", join(folder, "package.tgz"), "-C", folder, "package"]);
    return readFileSync(join(folder, "package.tgz"));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A zip file with stored (not compressed) entries. `mode` is the Unix mode of every file. */
export function zip(files: Record<string, string | Buffer>, mode = 0o755): Buffer {
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [path, content] of Object.entries(files)) {
    const name = Buffer.from(path);
    const data = Buffer.from(content);
    const shared = Buffer.alloc(26);
    shared.writeUInt16LE(20, 0); // version needed
    shared.writeUInt32LE(crc32(data), 10);
    shared.writeUInt32LE(data.length, 14);
    shared.writeUInt32LE(data.length, 18);
    shared.writeUInt16LE(name.length, 22);
    const body = Buffer.concat([Buffer.from("PK\x03\x04"), shared, name, data]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(((0o100000 | mode) << 16) >>> 0, 6);
    rest.writeUInt32LE(offset, 10);
    // Made on Unix (3), so that readers believe the mode.
    directory.push(Buffer.concat([Buffer.from("PK\x01\x02\x14\x03", "latin1"), shared, rest, name]));
    bodies.push(body);
    offset += body.length;
  }
  const listing = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(directory.length, 8);
  end.writeUInt16LE(directory.length, 10);
  end.writeUInt32LE(listing.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...bodies, listing, end]);
}
