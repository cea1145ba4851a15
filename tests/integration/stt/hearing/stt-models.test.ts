import { createHash } from "node:crypto";
import { EventEmitter, once } from "node:events";
import { access, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { crc32 } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Clock, systemClock } from "../../../../electron/stt-server/clock.ts";
import { type CatalogueModel, catalogue } from "../../../../electron/stt-server/models/catalogue.ts";
import { silenceMs } from "../../../../electron/stt-server/models/download.ts";
import { locateModel } from "../../../../electron/stt-server/models/model-location.ts";
import { ModelManager } from "../../../../electron/stt-server/models/model-manager.ts";
import { FakeClock } from "../../../fakes/clock.ts";
import {
  createFileServer,
  type FileAnswer,
  type FileServer,
  someOf,
  startOf,
  whole,
} from "../../../fakes/net/file-server.ts";
import { emptyOnnx, padded } from "../../../fixtures/onnx.ts";

/** Waits between attempts pass at once; a silence never lasts too long. */
const hasty: Clock = {
  now: () => Date.now(),
  sleep: async (ms, signal) => {
    signal?.throwIfAborted();
    if (signal && ms >= silenceMs) await once(signal, "abort");
  },
};
const sha256 = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");

/** Big enough for several packets, so that a cut falls inside it. */
const weights = padded(emptyOnnx({ vocab_size: "5", subsampling_factor: "8" }), 300_000);
const tokens = Buffer.from("<blk> 0\na 1\n");

let folder: string;
let server: FileServer;
let requests: FileServer["requests"];
let answers: FileServer["answers"];
let urlOf: FileServer["urlOf"];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "parley-models-"));
  server = await createFileServer();
  ({ requests, answers, urlOf } = server);
});
afterEach(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

/** Sends some of it, and hangs up when that is on the client's disk: what is only on its way would be lost. */
const cutAfter =
  (bytes: Buffer, count: number): FileAnswer =>
  (request, response) => {
    const wanted = startOf(request) + count;
    someOf(bytes, count)(request, response);
    const part = join(folder, "tiny.download", "content", "model.onnx.part");
    const hangUp = async () => {
      const isThere = async () => (await stat(part).catch(() => ({ size: 0 }))).size >= wanted;
      while (!response.destroyed && !(await isThere())) await turn();
      response.socket?.destroy();
    };
    void hangUp();
  };
const noRanges =
  (bytes: Buffer): FileAnswer =>
  (_request, response) =>
    response.writeHead(200, { "content-length": bytes.length }).end(bytes);

function testModel(checksum: string | null = sha256(weights)): CatalogueModel {
  const file = (name: string, bytes: Buffer, sum: string | null) => ({
    name,
    url: urlOf(`/${name}`),
    bytes: bytes.length,
    sha256: sum,
  });
  return {
    id: "tiny",
    name: "Tiny",
    kind: "nemo-ctc",
    languages: ["eo"],
    licence: "MIT",
    page: "https://example.org/tiny",
    bytes: weights.length + tokens.length,
    files: [file("model.onnx", weights, checksum), file("tokens.txt", tokens, sha256(tokens))],
  };
}

const managerOf = (model: CatalogueModel, clock = hasty) =>
  new ModelManager({ folder, catalogue: [model], fetch, clock });
const installedFiles = () => readdir(join(folder, "tiny"));

describe("models that are downloaded", () => {
  beforeEach(() => {
    answers.set("/model.onnx", [whole(weights)]);
    answers.set("/tokens.txt", [whole(tokens)]);
  });

  it("are there whole, once, and are found by id and by language; deleted, they are gone", async () => {
    const manager = managerOf(testModel());
    expect(await manager.state("tiny")).toEqual({ state: "available" });
    await expect(locateModel({ language: "en", model: "tiny" }, {}, folder, manager)).rejects.toThrow(
      /does not know the language “en”: it hears eo/,
    );
    await expect(locateModel({ language: "eo", model: "tiny" }, {}, folder, manager)).rejects.toThrow(
      /not downloaded yet/,
    );
    await expect(locateModel({ language: "eo" }, {}, folder, manager)).rejects.toThrow(
      /stt_download_model: tiny \(1 MB\)/,
    );
    await Promise.all([manager.download("tiny"), manager.download("tiny")]);
    expect(requests.map(({ path }) => path)).toEqual(["/model.onnx", "/tokens.txt"]);
    expect(await installedFiles()).toEqual(["model.onnx", "tokens.txt"]);
    expect((await readFile(join(folder, "tiny", "model.onnx"))).equals(weights)).toBe(true);
    expect(await readdir(folder)).toEqual(["tiny"]);
    for (const request of [{ language: "eo" }, { language: "eo-XX", model: "tiny" }]) {
      expect(await locateModel(request, {}, folder, manager)).toEqual({
        name: "tiny",
        folder: join(folder, "tiny"),
      });
    }
    await manager.delete("tiny");
    expect(await manager.state("tiny")).toEqual({ state: "available" });
    expect(await readdir(folder)).toEqual([]);
  });

  // Bug: on a busy computer a download that had just begun was told as paused, and was not used when it was there.
  it("are being downloaded from the call on, before anything is looked at on the disk", async () => {
    const manager = managerOf(testModel());
    const download = manager.download("tiny");
    expect(manager.isDownloading).toBe(true);
    await download;
    expect(manager.isDownloading).toBe(false);
    // What is there is not fetched again.
    await manager.download("tiny");
    expect(manager.isDownloading).toBe(false);
    expect(requests.map(({ path }) => path)).toEqual(["/model.onnx", "/tokens.txt"]);
  });

  it("go on where a cut connection stopped, as often as it takes", async () => {
    answers.set("/model.onnx", [
      ...Array.from({ length: 7 }, () => cutAfter(weights, 30_000)),
      whole(weights),
    ]);
    await managerOf(testModel()).download("tiny");
    expect((await readFile(join(folder, "tiny", "model.onnx"))).equals(weights)).toBe(true);
    const ranges = requests.filter(({ path }) => path === "/model.onnx").map(({ range }) => range);
    expect(ranges[0]).toBeUndefined();
    expect(ranges.slice(1).every((range) => /^bytes=[1-9]\d*-$/.test(range ?? ""))).toBe(true);
  });

  it("go on over another connection where one falls silent, before its answer or within it", async () => {
    const isSilent = new EventEmitter();
    answers.set("/model.onnx", [
      () => void isSilent.emit("asked"),
      (_request, response) => {
        response.writeHead(200, { "content-length": weights.length });
        response.write(weights.subarray(0, 150_000), () => isSilent.emit("half"));
      },
      whole(weights),
    ]);
    const clock = new FakeClock();
    const asked = once(isSilent, "asked");
    const half = once(isSilent, "half");
    const manager = managerOf(testModel(), clock);
    const downloaded = manager.download("tiny");
    await asked;
    clock.advance(silenceMs);
    await clock.sleeping(500);
    clock.advance(500);
    await half;
    let state = await manager.state("tiny");
    while (state.state !== "downloading" || state.done < 150_000) state = await manager.state("tiny");
    clock.advance(silenceMs);
    await clock.sleeping(500);
    clock.advance(500);
    await downloaded;
    expect(requests[2]?.range).toBe("bytes=150000-");
    expect((await readFile(join(folder, "tiny", "model.onnx"))).equals(weights)).toBe(true);
  });

  it("tell how far they are, are ended, and go on in another process", async () => {
    const model = testModel();
    let reached: () => void = () => undefined;
    const half = new Promise<void>((resolve) => {
      reached = resolve;
    });
    answers.set("/model.onnx", [
      (_request, response) => {
        response.writeHead(200, { "content-length": weights.length });
        response.write(weights.subarray(0, 150_000), () => reached());
      },
      whole(weights),
    ]);
    const first = managerOf(model, systemClock);
    const ended = expect(first.download("tiny")).rejects.toThrow(/was stopped/);
    await half;
    // The bytes are on their way to the disk: what was counted is there.
    let state = await first.state("tiny");
    while (state.state !== "downloading" || state.done === 0) state = await first.state("tiny");
    await first.pause("tiny");
    await ended;
    const paused = await first.state("tiny");
    expect(paused).toMatchObject({ state: "paused", done: expect.any(Number) });
    expect(await managerOf(model).state("tiny")).toEqual(paused);
    await managerOf(model).download("tiny");
    expect((await readFile(join(folder, "tiny", "model.onnx"))).equals(weights)).toBe(true);
    expect(requests[1]?.range).toMatch(/^bytes=[1-9]/);
  });

  // Bug: they joined the download that was just being ended, or what they fetched was deleted with the rest.
  it.each(["pause", "delete"] as const)("are downloaded where that is asked for during a %s", async (end) => {
    const manager = managerOf(testModel());
    const begun = new Promise<void>((resolve) => {
      answers.set("/model.onnx", [
        (request, response) => {
          someOf(weights, 150_000)(request, response);
          resolve();
        },
        whole(weights),
      ]);
    });
    const ended = expect(manager.download("tiny")).rejects.toThrow(/was stopped/);
    await begun;
    await Promise.all([manager[end]("tiny"), manager.download("tiny")]);
    await ended;
    expect(await installedFiles()).toEqual(["model.onnx", "tokens.txt"]);
    await Promise.all([manager[end]("tiny"), manager.download("tiny")]);
    expect(await installedFiles()).toEqual(["model.onnx", "tokens.txt"]);
  });

  it("begin anew with a server that knows no ranges", async () => {
    answers.set("/model.onnx", [cutAfter(weights, 30_000), noRanges(weights)]);
    await managerOf(testModel()).download("tiny");
    expect((await readFile(join(folder, "tiny", "model.onnx"))).equals(weights)).toBe(true);
  });

  it("are thrown away when the checksum is wrong, and can be had again", async () => {
    const wrong = Buffer.from(weights);
    wrong[wrong.length - 1] = 1;
    answers.set("/model.onnx", [whole(wrong), whole(weights)]);
    const manager = managerOf(testModel());
    await expect(manager.download("tiny")).rejects.toThrow(
      /model\.onnx arrived damaged \(its checksum is wrong\)/,
    );
    expect(await manager.state("tiny")).toMatchObject({
      state: "failed",
      message: expect.stringContaining("again"),
    });
    await expect(access(join(folder, "tiny"))).rejects.toThrow();
    await manager.download("tiny");
    expect(await installedFiles()).toEqual(["model.onnx", "tokens.txt"]);
  });

  it("that changed on the server between two requests are thrown away, and can be had again", async () => {
    const changed = Buffer.from(weights.map((byte) => byte ^ 1));
    answers.set("/model.onnx", [cutAfter(changed, 30_000), whole(weights)]);
    const manager = managerOf(testModel());
    await expect(manager.download("tiny")).rejects.toThrow(/its checksum is wrong/);
    await manager.download("tiny");
    expect((await readFile(join(folder, "tiny", "model.onnx"))).equals(weights)).toBe(true);
  });

  it("are checked by size and content where no checksum is known", async () => {
    const page = Buffer.alloc(weights.length, "<!doctype html>");
    answers.set("/model.onnx", [whole(weights.subarray(0, 1000)), whole(page)]);
    const manager = managerOf(testModel(null));
    await expect(manager.download("tiny")).rejects.toThrow(/1000 bytes instead of/);
    await expect(manager.download("tiny")).rejects.toThrow(/model\.onnx: it is (cut off|not an ONNX model)/);
    await expect(access(join(folder, "tiny"))).rejects.toThrow();
  });

  it("say what to do when the disk is full, the model has moved, or nobody answers", async () => {
    const model = testModel();
    const huge = { ...model, files: model.files.map((file) => ({ ...file, bytes: 1e18 })) };
    await expect(managerOf(huge).download("tiny")).rejects.toThrow(/no room on the disk/);
    expect(requests).toEqual([]);
    // A file that takes no byte, as on a disk that fills up meanwhile.
    const content = join(folder, "tiny.download", "content");
    await mkdir(content, { recursive: true });
    await symlink("/dev/full", join(content, "model.onnx.part"));
    const manager = managerOf(model);
    await expect(manager.download("tiny")).rejects.toThrow(/no room on the disk.*goes on where it stopped/);
    expect(requests).toHaveLength(1);
    await manager.delete("tiny");
    answers.set("/model.onnx", []);
    await expect(manager.download("tiny")).rejects.toThrow(/answers 404: the model has moved/);
    answers.set("/model.onnx", [(request) => request.socket.destroy()]);
    await expect(manager.download("tiny")).rejects.toThrow(/could not be downloaded from 127\.0\.0\.1/);
    await expect(manager.download("nova")).rejects.toThrow(/no speech model “nova”.*tiny/);
  });

  it("are unpacked from an archive, whose files are checked", async () => {
    const files: [string, string][] = [
      ["vosk-x/conf/model.conf", "--beam=10\n"],
      ["vosk-x/am/final.mdl", "weights"],
    ];
    const good = storedZip(files);
    const bad = storedZip(files, 1);
    const model: CatalogueModel = {
      ...testModel(),
      kind: "vosk",
      files: [{ name: "vosk-x.zip", url: urlOf("/vosk-x.zip"), bytes: null, sha256: null }],
    };
    answers.set("/vosk-x.zip", [whole(bad), whole(good.subarray(0, 100)), whole(good)]);
    const manager = managerOf(model);
    await expect(manager.download("tiny")).rejects.toThrow(/archive is damaged.*wrong checksum/);
    await expect(manager.download("tiny")).rejects.toThrow(/archive is damaged/);
    await manager.download("tiny");
    expect(await installedFiles()).toEqual(["am", "conf"]);
    expect(await readdir(folder)).toEqual(["tiny"]);
  });
});

describe("the catalogue", () => {
  it("names each model once, over https, with licence and languages", () => {
    expect(new Set(catalogue.map(({ id }) => id)).size).toBe(catalogue.length);
    for (const { files, bytes, licence } of catalogue) {
      expect(licence).not.toBe("");
      for (const file of files) expect(file.url).toMatch(/^https:\/\/(huggingface\.co|alphacephei\.com)\//);
      const sizes = files.map((file) => file.bytes ?? Number.NaN).reduce((sum, size) => sum + size, 0);
      expect(bytes ?? Number.NaN).toBe(sizes);
    }
    expect(new Set(catalogue.map(({ kind }) => kind))).toEqual(
      new Set([
        ...["vosk", "streaming-transducer", "nemo-transducer", "whisper", "moonshine"],
        ...["vits-voice", "supertonic-voice", "punctuation"],
      ]),
    );
  });
});

/** A zip without compression. @param damage added to the checksums */
function storedZip(files: [name: string, content: string][], damage = 0): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of files) {
    const sum = (crc32(content) + damage) >>> 0;
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt32LE(sum, 10);
    common.writeUInt32LE(content.length, 14);
    common.writeUInt32LE(content.length, 18);
    common.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from("PK\x03\x04", "latin1"), common, Buffer.from(name + content)]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    directory.push(
      Buffer.concat([Buffer.from("PK\x01\x02\x14\x00", "latin1"), common, rest, Buffer.from(name)]),
    );
    parts.push(local);
    offset += local.length;
  }
  const list = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(files.length, 4);
  end.writeUInt16LE(files.length, 6);
  end.writeUInt32LE(list.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, list, Buffer.from("PK\x05\x06", "latin1"), end]);
}

it("the language is left to a model that can tell it, chosen or on the disk; others say that they cannot", async () => {
  answers.set("/model.onnx", [whole(weights)]);
  answers.set("/tokens.txt", [whole(tokens)]);
  const deaf = managerOf(testModel());
  await expect(locateModel({ language: "auto" }, {}, folder, deaf)).rejects.toThrow(
    /hears US English and cannot tell which language is spoken/,
  );
  await expect(locateModel({ language: "auto", model: "tiny" }, {}, folder, deaf)).rejects.toThrow(
    /tiny cannot tell which language is spoken: choose one of eo/,
  );
  const able = managerOf({ ...testModel(), detectsLanguage: true });
  await expect(locateModel({ language: "auto" }, {}, folder, able)).rejects.toThrow(
    /stt_download_model: tiny\./,
  );
  await able.download("tiny");
  const found = { name: "tiny", folder: join(folder, "tiny") };
  expect(await locateModel({ language: "auto" }, {}, folder, able)).toEqual(found);
  expect(await locateModel({ language: "auto", model: "tiny" }, {}, folder, able)).toEqual(found);
});
