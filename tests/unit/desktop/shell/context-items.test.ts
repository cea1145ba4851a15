import { expect, test } from "vitest";
import { type ClickedPart, contextItems } from "../../../../electron/desktop/shell/context-items.ts";

const nothing: ClickedPart = {
  isEditable: false,
  selectionText: "",
  linkURL: "",
  mediaType: "none",
  srcURL: "",
  misspelledWord: "",
  dictionarySuggestions: [],
  editFlags: { canUndo: false, canRedo: false, canCut: false, canCopy: true, canPaste: false },
};
const names = (part: Partial<ClickedPart>, isSpellingChecked = false, isReadable = false) =>
  contextItems({ ...nothing, ...part }, isSpellingChecked, isReadable).map((item) =>
    "role" in item ? item.role : "label" in item ? item.label : "-",
  );

test("where there is nothing to do there is no menu", () => expect(names({})).toEqual([]));

test("selected text is copied; blank text is none", () => {
  expect(names({ selectionText: "a word" })).toEqual(["copy"]);
  expect(names({ selectionText: " \n" })).toEqual([]);
});

test("a reply can be read aloud from where it was clicked", () => {
  expect(names({}, false, true)).toEqual(["Read from here"]);
  expect(names({ selectionText: "a word" }, false, true)).toEqual(["copy", "-", "Read from here"]);
});

test("a field has all of editing, and says whether spelling is checked", () => {
  expect(names({ isEditable: true })).toEqual([
    "undo",
    "redo",
    "-",
    "cut",
    "copy",
    "paste",
    "selectAll",
    "-",
    "Check spelling…",
  ]);
  expect(names({ isEditable: true }, true).at(-1)).toBe("Stop checking spelling");
});

test("a misspelled word comes with up to five others, and can be added", () => {
  const part = {
    isEditable: true,
    misspelledWord: "helo",
    dictionarySuggestions: ["a", "b", "c", "d", "e", "f"],
  };
  expect(names(part, true).slice(0, 7)).toEqual(["a", "b", "c", "d", "e", "Add to dictionary", "-"]);
  expect(names({ ...part, dictionarySuggestions: [] }, true)[0]).toBe("No suggestions");
});

test("web and mail links are copied, others are none", () => {
  expect(contextItems({ ...nothing, linkURL: "mailto:a@example.com" }, false, false)).toEqual([
    { label: "Copy email address", wish: { kind: "copyText", text: "a@example.com" } },
  ]);
  expect(names({ linkURL: "https://example.com/" })).toEqual(["Copy link"]);
  expect(names({ linkURL: "app://parley/main/" })).toEqual([]);
});

test("only an image that the page has in itself is saved", () => {
  expect(names({ mediaType: "image", srcURL: "data:image/png;base64,AA" })).toEqual([
    "Copy image",
    "Save image…",
  ]);
  expect(names({ mediaType: "image", srcURL: "https://example.com/a.png" })).toEqual([]);
});
