import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { SessionStore } from "../../../../electron/agent/ports/session-store.ts";
import { AttachedFiles } from "../../../../electron/desktop/ipc/attached-files.ts";
import { openMemoryStore } from "../../../../electron/store/memory-store.ts";
import { attachedId, maxAttachmentChars } from "../../../../shared/conversation/attachments.ts";
import { defaultSettings } from "../../../../shared/settings.ts";
import { images } from "../../../fixtures/images.ts";

let store: SessionStore;
let files: AttachedFiles;
let count: number;
beforeEach(() => {
  count = 0;
  store = openMemoryStore((error) => {
    throw error;
  });
  files = new AttachedFiles({ store, settings: () => defaultSettings, newId: () => `id-${++count}` });
});
afterEach(() => store.close());

const bytesOf = (text: string) => new TextEncoder().encode(text);
const add = (name: string, bytes: Uint8Array, kind: "file" | "pasted" = "file") =>
  files.add({ name, kind, bytes });
const readBack = (reference: string) => files.read(attachedId(reference) ?? "");

describe("a file that the user attached", () => {
  it("is kept whole, with what people see of it", () => {
    const choice = add("notes.txt", bytesOf("milk\neggs\n"));
    expect(choice).toEqual({
      reference: "attached:id-1",
      label: "notes.txt",
      detail: "",
      file: { kind: "text", bytes: 10, lines: 2 },
    });
    expect(readBack(choice.reference)).toEqual({ from: "file notes.txt", text: "milk\neggs\n", choice });
  });

  it("is an image where its bytes say so, whatever it is called", () => {
    const choice = add("cat.txt", images.jpeg);
    expect(choice.file).toEqual({ kind: "image", bytes: images.jpeg.length });
    const data = images.jpeg.toString("base64");
    expect(readBack(choice.reference).images).toEqual([
      { type: "image", source: { type: "base64", media_type: "image/jpeg", data } },
    ]);
  });

  it("is text in UTF-16, too, where its byte order mark says so", () => {
    const choice = add("list.csv", Buffer.from("\uFEFFGröße;1\r\n", "utf16le"));
    expect(readBack(choice.reference).text).toContain("Größe;1");
  });

  it("may be a paste: then it is text", () => {
    expect(add("Pasted text", bytesOf("one"), "pasted").file).toEqual({ kind: "pasted", bytes: 3, lines: 1 });
  });

  it.each([
    ["lease.pdf", Uint8Array.of(37, 80, 68, 70, 0, 255), "neither text nor an image"],
    ["old.csv", Buffer.from("Größe;1\r\n", "latin1"), "seems to be Latin-1 or Windows-1252 text"],
    [".env", bytesOf("KEY=1"), "may hold keys or passwords"],
    ["long.txt", bytesOf("x".repeat(maxAttachmentChars + 1)), "too long to attach"],
    ["torn.png", images.png.subarray(0, 12), "damaged image"],
    ["half.jpg", images.jpeg.subarray(0, images.jpeg.length - 20), "damaged image"],
  ])("is refused in words: %s", (name, bytes, words) => {
    expect(() => add(name, bytes)).toThrow(words);
  });

  it("that is no longer kept says what to do", () => {
    expect(() => files.read("gone")).toThrow("Remove it and attach it again");
  });
});
