/** What was clicked, as Electron's `context-menu` event tells it. */
export interface ClickedPart {
  isEditable: boolean;
  selectionText: string;
  linkURL: string;
  mediaType: string;
  srcURL: string;
  misspelledWord: string;
  dictionarySuggestions: readonly string[];
  editFlags: { canUndo: boolean; canRedo: boolean; canCut: boolean; canCopy: boolean; canPaste: boolean };
}

/** What an entry does that Electron has no role for. */
export type MenuWish =
  | { kind: "replace" | "learn"; word: string }
  | { kind: "copyText"; text: string }
  | { kind: "copyImage" }
  | { kind: "saveImage"; url: string }
  | { kind: "spelling"; isWanted: boolean }
  | { kind: "readFromHere" };

type Role = "undo" | "redo" | "cut" | "copy" | "paste" | "selectAll";

export type ContextItem =
  | { type: "separator" }
  | { role: Role; enabled: boolean }
  | { label: string; wish: MenuWish }
  | { label: string; enabled: false };

const maxSuggestions = 5;

/**
 * The entries for what was clicked; none where there is nothing to do.
 * @param isReadable it is the text of a reply, which can be read aloud
 */
export function contextItems(
  part: ClickedPart,
  isSpellingChecked: boolean,
  isReadable: boolean,
): ContextItem[] {
  const groups = [
    spellingOf(part),
    linkOf(part),
    imageOf(part),
    part.isEditable ? editing(part) : part.selectionText.trim() === "" ? [] : copying(part),
    isReadable ? [{ label: "Read from here", wish: { kind: "readFromHere" as const } }] : [],
    part.isEditable ? [spellingSwitch(isSpellingChecked)] : [],
  ].filter((group) => group.length > 0);
  return groups.flatMap((group, index) => (index > 0 ? [{ type: "separator" as const }, ...group] : group));
}

function spellingOf({ misspelledWord: word, dictionarySuggestions }: ClickedPart): ContextItem[] {
  if (word === "") return [];
  const suggestions = dictionarySuggestions.slice(0, maxSuggestions);
  return [
    ...suggestions.map((one): ContextItem => ({ label: one, wish: { kind: "replace", word: one } })),
    ...(suggestions.length === 0 ? [{ label: "No suggestions", enabled: false as const }] : []),
    { label: "Add to dictionary", wish: { kind: "learn", word } },
  ];
}

const linkOf = ({ linkURL: url }: ClickedPart): ContextItem[] =>
  /^(https?|mailto):/i.test(url)
    ? [
        /^mailto:/i.test(url)
          ? { label: "Copy email address", wish: { kind: "copyText", text: url.slice("mailto:".length) } }
          : { label: "Copy link", wish: { kind: "copyText", text: url } },
      ]
    : [];

/** Only what the page has in itself: nothing is fetched for a save. */
const imageOf = ({ mediaType, srcURL: url }: ClickedPart): ContextItem[] =>
  mediaType === "image" && /^data:image\//i.test(url)
    ? [
        { label: "Copy image", wish: { kind: "copyImage" } },
        { label: "Save image…", wish: { kind: "saveImage", url } },
      ]
    : [];

const editing = ({ editFlags: can }: ClickedPart): ContextItem[] => [
  { role: "undo", enabled: can.canUndo },
  { role: "redo", enabled: can.canRedo },
  { type: "separator" },
  { role: "cut", enabled: can.canCut },
  { role: "copy", enabled: can.canCopy },
  { role: "paste", enabled: can.canPaste },
  { role: "selectAll", enabled: true },
];

const copying = ({ editFlags: can }: ClickedPart): ContextItem[] => [{ role: "copy", enabled: can.canCopy }];

const spellingSwitch = (isOn: boolean): ContextItem =>
  isOn
    ? { label: "Stop checking spelling", wish: { kind: "spelling", isWanted: false } }
    : { label: "Check spelling…", wish: { kind: "spelling", isWanted: true } };
