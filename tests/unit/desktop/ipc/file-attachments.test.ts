import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  FileAttachments,
  type FileAttachmentsOptions,
} from "../../../../electron/desktop/ipc/file-attachments.ts";
import { listResources } from "../../../../electron/mcp/tools/resources.ts";
import { openLocalEnvironment } from "../../../../electron/tools/environment/local-environment.ts";
import { maxAttachmentChars } from "../../../../shared/conversation/attachments.ts";
import { defaultSettings } from "../../../../shared/settings.ts";
import { noAttachedFiles } from "../../../fixtures/attached-files.ts";
import { images, png } from "../../../fixtures/images.ts";
import { createMcpRig, type McpRig, nodeModule } from "../../../integration/mcp/mcp-rig.ts";

let outside: string;
let folder: string;
let mcp: McpRig;
let options: FileAttachmentsOptions;
let fileAttachments: FileAttachments;
let takesImages: boolean;
let settings = defaultSettings;
beforeEach(() => {
  takesImages = true;
  settings = defaultSettings;
});

beforeAll(async () => {
  outside = mkdtempSync(join(tmpdir(), "parley-attach-"));
  folder = join(outside, "work");
  mkdirSync(join(folder, "docs"), { recursive: true });
  const write = (path: string, content: string | Buffer) => writeFileSync(join(folder, path), content);
  write("notes.txt", "buy milk\n");
  write("docs/Plan [1].md", "# Plan\n");
  write("cafe\u0301.txt", "open\n");
  write(".env", "KEY=1\n");
  write("server.pem", "key\n");
  write("cat.png", images.png);
  write("photo.dat", images.jpeg);
  write("broken.png", images.png.subarray(0, 20));
  write("half.jpg", images.jpeg.subarray(0, images.jpeg.length - 20));
  write("wide.png", png(8001, 1));
  write("widest.png", png(8000, 1));
  write("sound.bin", Buffer.from([0x89, 0x50, 0, 1]));
  write("heavy.png", Buffer.concat([images.png, Buffer.alloc(3_750_001 - images.png.length)]));
  write("heaviest.png", Buffer.concat([images.png, Buffer.alloc(3_750_000 - images.png.length)]));
  for (let index = 1; index <= 6; index++) write(`page-${index}.gif`, images.gif);
  write("long.txt", "x".repeat(maxAttachmentChars + 1));
  write("longest.txt", "x".repeat(maxAttachmentChars * 3 + 1));
  write("whole.txt", "x".repeat(maxAttachmentChars));
  writeFileSync(join(outside, "theirs.txt"), "not yours\n");
  symlinkSync(join(outside, "theirs.txt"), join(folder, "link.txt"));
  symlinkSync(join(folder, ".env"), join(folder, "harmless.txt"));
  const everything = {
    command: process.execPath,
    args: [nodeModule("@modelcontextprotocol/server-everything/dist/index.js"), "stdio"],
  };
  mcp = createMcpRig({ servers: { everything } });
  await mcp.manager.load();
  await mcp.manager.settled();
  options = {
    openFolder: openLocalEnvironment,
    attached: noAttachedFiles,
    servers: mcp.manager,
    settings: () => settings,
    model: () => ({ modelLabel: "the model", takesImages }),
  };
  fileAttachments = new FileAttachments(options);
});
afterAll(async () => {
  await mcp.close();
  rmSync(outside, { recursive: true });
});

const found = async (words: string) =>
  (await fileAttachments.find(folder, words)).map(({ reference }) => reference);

describe("what is offered", () => {
  it.each([
    ["notes", ["notes.txt"]],
    ["NOTE", ["notes.txt"]],
    ["doc/pl", ["docs/Plan [1].md"]],
    ["n [1]", ["docs/Plan [1].md"]],
    ["CAF\u00c9", ["cafe\u0301.txt"]],
    ["fe\u0301", ["cafe\u0301.txt"]],
    ["theirs", []],
    ["../", []],
    ["pem", []],
    ["env", []],
  ])("for @%s", async (words, references) => {
    expect((await found(words)).filter((one) => !one.startsWith("@"))).toEqual(
      words === "../" ? expect.not.arrayContaining(["../theirs.txt"]) : references,
    );
  });

  it("without a letter: the folder's own files, and what the servers have", async () => {
    const references = await found("");
    expect(references).toContain("notes.txt");
    expect(references).not.toContain("docs/Plan [1].md");
    expect(references).not.toContain(".env");
    expect(references.some((one) => one.startsWith("@everything:demo://"))).toBe(true);
  });

  // Bug: a folder that does not answer kept the list away, and with it what the servers have.
  it("is what was found in time", async () => {
    const stuck = new FileAttachments({ ...options, openFolder: () => new Promise(() => {}) });
    const time = new AbortController();
    const choices = stuck.find(folder, "", time.signal);
    // Asked behind it, so answered behind it.
    await listResources(mcp.manager, time.signal, folder);
    await setImmediate();
    time.abort();
    expect((await choices).map(({ reference }) => reference)).toContainEqual(
      expect.stringMatching(/^@everything:demo:/),
    );
  });
});

describe("what is attached", () => {
  it("is the text as it is, with where it is from; twice is once", async () => {
    const [file, resource, ...more] = await fileAttachments.read(folder, [
      "notes.txt",
      (await found("demo://"))[0] ?? "",
      "notes.txt",
    ]);
    expect(file).toEqual({
      from: "file notes.txt",
      text: "buy milk\n",
      choice: { reference: "notes.txt", label: "notes.txt", detail: "" },
    });
    expect(resource?.from).toMatch(/^everything: demo:\/\//);
    expect(more).toEqual([]);
  });

  it("may be as long as the limit says", async () => {
    const [whole] = await fileAttachments.read(folder, ["whole.txt"]);
    expect(whole?.text.length).toBe(maxAttachmentChars);
  });

  it.each([
    ["../theirs.txt", "is not in the working folder"],
    ["link.txt", "is not in the working folder"],
    [".env", "may hold keys or passwords"],
    ["harmless.txt", "may hold keys or passwords"],
    ["server.pem", "may hold keys or passwords"],
    ["sound.bin", "is neither text nor an image models can take (PNG, JPEG, GIF, WEBP)"],
    ["broken.png", "is a damaged image"],
    ["half.jpg", "is a damaged image"],
    ["wide.png", "8001 × 1 pixels, at most 8000 on a side (`attachMaxImageSidePx`)"],
    ["heavy.png", "3,750,001 bytes, at most 3,750,000 (`attachMaxImageBytes`)"],
    ["long.txt", "200,001 characters, at most 200,000 characters"],
    ["longest.txt", "600,001 bytes, at most 200,000 characters"],
    ["none.txt", "none.txt"],
    ["docs", "docs"],
    ["@nobody:demo://x", "There is no MCP server `nobody`"],
  ])("never %s", async (reference, message) => {
    await expect(fileAttachments.read(folder, ["notes.txt", reference])).rejects.toThrow(message);
  });
});

describe("an image", () => {
  it("goes as an image of the kind that its bytes say, with what it is", async () => {
    const [png, jpeg] = await fileAttachments.read(folder, ["cat.png", "photo.dat"]);
    expect(png).toMatchObject({
      from: "image cat.png",
      text: "[image: image/png, 40 × 30, 1 KB; it follows]",
      images: [
        {
          type: "image",
          source: { type: "base64", media_type: "image/png", data: images.png.toString("base64") },
        },
      ],
    });
    expect(jpeg?.images).toMatchObject([{ source: { media_type: "image/jpeg" } }]);
  });

  it("may be as large as the limits say", async () => {
    const [heavy, wide] = await fileAttachments.read(folder, ["heaviest.png", "widest.png"]);
    expect(heavy?.images?.[0]?.source.data).toHaveLength(5_000_000);
    expect(wide?.text).toContain("8000 × 1");
  });

  it("is one of at most five, or what the settings say", async () => {
    const pages = [1, 2, 3, 4, 5, 6].map((index) => `page-${index}.gif`);
    expect(await fileAttachments.read(folder, pages.slice(1))).toHaveLength(5);
    await expect(fileAttachments.read(folder, pages)).rejects.toThrow(
      "6 images are attached, but one prompt can have at most 5 (`attachMaxImages`).",
    );
    settings = { ...defaultSettings, attachMaxImages: 6, attachMaxImageSidePx: 39 };
    expect(await fileAttachments.read(folder, [])).toEqual([]);
    await expect(fileAttachments.read(folder, pages)).rejects.toThrow("at most 39 on a side");
    settings = { ...settings, attachMaxImageSidePx: 40 };
    expect(await fileAttachments.read(folder, pages)).toHaveLength(6);
  });

  it("is refused where the model takes none; text is not", async () => {
    takesImages = false;
    await expect(fileAttachments.read(folder, ["notes.txt", "cat.png"])).rejects.toThrow(
      "the model can't take images. Choose a model that can (`/model`), or remove the image.",
    );
    expect(await fileAttachments.read(folder, ["notes.txt"])).toHaveLength(1);
  });

  it("is told from a file in the list", async () => {
    expect(await fileAttachments.find(folder, "cat")).toMatchObject([{ label: "cat.png", detail: "image" }]);
  });
});
