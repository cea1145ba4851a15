import { asSpoken, withoutPoliteness } from "./as-spoken.ts";
import { numbersInWords } from "./said/numbers.ts";

/** What can be said to Parley itself: a closed list. The words of an entry are all that is said; anything else is a prompt. */
export interface SpokenCommandEntry {
  /** As they are shown; the first is the one to learn. `…` stands for words that are said with it. */
  says: readonly string[];
  does: string;
  /** What recognisers are often sure to have heard of these words, and nobody says as a prompt. It counts, and is not shown. */
  heardAs?: readonly string[];
}

/** Those that act on the app, by their names. */
const actions = {
  new_conversation: {
    says: ["new conversation", "start a new conversation", "open a new conversation"],
    does: "opens an empty conversation and listens there",
  },
  read_again: {
    says: ["read that again", "read it again", "read the last reply", "read that aloud"],
    does: "reads the last reply aloud",
  },
  show_approvals: {
    says: ["show approvals", "show what waits", "what needs approval"],
    does: "goes to what is waiting for your answer",
  },
  scroll_down: {
    says: ["scroll down", "page down"],
    does: "scrolls what is open on top, or the conversation",
  },
  scroll_up: { says: ["scroll up", "page up"], does: "scrolls what is open on top, or the conversation" },
  scroll_top: { says: ["scroll to the top", "go to the top"], does: "goes to the beginning" },
  scroll_end: {
    says: ["scroll to the end", "scroll to the bottom", "go to the end"],
    does: "goes to the newest message",
  },
  start_dictating: { says: ["start dictating", "start dictation"], does: "types what you say" },
  stop_dictating: { says: ["stop dictating", "stop dictation"], does: "ends that" },
  send_dictation: { says: ["send the dictation", "send what I dictated"], does: "sends what you dictated" },
  copy_that: { says: ["copy that", "copy the last reply"], does: "copies the last reply" },
  try_again: {
    says: ["try again", "try that again"],
    does: "asks again if the last turn failed; otherwise it is a prompt",
  },
  send_next: {
    says: ["send the next prompt", "send the next one"],
    does: "sends the next waiting prompt into the running turn, or a held one; if none is waiting, it is a prompt",
  },
  rewind: {
    says: ["rewind", "open rewind"],
    does: "asks what to rewind to before your last prompt. Nothing changes before you choose",
  },
  next_conversation: {
    says: ["next conversation"],
    does: "goes to the one below it in the list, and listens there",
  },
  previous_conversation: {
    says: ["previous conversation"],
    does: "goes to the one above it in the list, and listens there",
  },
  close: {
    says: ["close that", "close the dialog"],
    does: "closes what is open on top: a dialog, a search, the page of a meeting; in the quick prompt, the quick prompt",
  },
  find: { says: ["find in this conversation", "search this conversation"], does: "opens the search in it" },
  open_palette: {
    says: ["open the palette", "show all commands"],
    does: "opens the list of all conversations, commands and settings",
  },
  choose_model: { says: ["choose a model", "change the model"], does: "opens the list of models" },
  choose_level: {
    says: ["choose the level", "change the level"],
    does: "opens the list of what runs without asking",
  },
  open_panel: {
    says: ["open the panel", "show the panel"],
    does: "opens the right panel: context, files, what runs",
  },
  close_panel: { says: ["close the panel", "hide the panel"], does: "closes it" },
  show_servers: { says: ["show the servers", "open the servers"], does: "shows the MCP servers" },
  show_keys: {
    says: ["show the keys", "show the keyboard shortcuts"],
    does: "shows every key",
  },
  open_settings: { says: ["open settings", "open the settings"], does: "shows the settings" },
  close_settings: { says: ["close settings", "close the settings"], does: "closes the settings" },
  mute: { says: ["mute the microphone"], does: "mutes the microphone until you unmute it by hand" },
  stop_listening: {
    says: ["stop listening", "turn off the microphone", "turn the microphone off"],
    does: "switches voice off",
    heardAs: ["stopped listening", "turned off the microphone", "turned the microphone off"],
  },
  help: { says: ["what can I say"], does: "shows this list" },
} as const satisfies Record<string, SpokenCommandEntry>;

type ActionName = keyof typeof actions;

/** Those that a window does. */
export const windowCommands = [
  "rewind",
  "next_conversation",
  "previous_conversation",
  "close",
  "press",
  "find",
  "open_palette",
  "choose_model",
  "choose_level",
  "open_panel",
  "close_panel",
  "show_servers",
  "show_keys",
  "search_here",
  "search_all",
  "scroll_down",
  "scroll_up",
  "scroll_top",
  "scroll_end",
  "show_approvals",
  "send_dictation",
  "open_settings",
  "close_settings",
  "help",
] as const satisfies readonly (ActionName | WordedName)[];
export type WindowCommand = (typeof windowCommands)[number];

export const isWindowCommand = (name: SpokenCommand["name"]): name is WindowCommand =>
  windowCommands.some((one) => one === name);

/** Those that quick prompts do themselves; for any other one of a window the main window comes. */
export const quickCommands: ReadonlySet<WindowCommand> = new Set([
  "scroll_down",
  "scroll_up",
  "scroll_top",
  "scroll_end",
  "send_dictation",
  "close",
]);

/** `about`: the words that stand for `…`, as they were heard. */
export type SpokenCommand = { name: ActionName } | { name: WordedName; about: string };

const isActionName = (name: string): name is ActionName => Object.hasOwn(actions, name);
const actionNames = Object.keys(actions).filter(isActionName);

/** Those that are said with words of the user's. */
const worded = {
  open_about: {
    says: ["open the one about …", "open the conversation about …", "go to the conversation about …"],
    does: "opens the conversation with these words in its title",
  },
  search_here: {
    says: ["search this conversation for …", "look in this conversation for …"],
    does: "finds these words in it",
  },
  search_all: {
    says: ["search all conversations for …", "search my conversations for …"],
    does: "looks for them everywhere",
  },
  press: {
    says: ["press …"],
    does: "presses what has that name in the dialog, list or menu that is open; never an approval, a level or a setting. If nothing has that name, it is a prompt",
  },
  use_model: {
    says: ["use the model …", "switch to the model …"],
    does: "switches to that model here, by its short name such as “opus”. If no model has that name, it is a prompt",
  },
} as const satisfies Record<string, SpokenCommandEntry>;

type WordedName = keyof typeof worded;

const isWordedName = (name: string): name is WordedName => Object.hasOwn(worded, name);
export const isWorded = (command: SpokenCommand): command is Extract<SpokenCommand, { about: string }> =>
  isWordedName(command.name);

/** What is said to the voice that says replies. */
export const spokenAsides = {
  "go on": {
    says: ["go on", "continue", "carry on", "keep going", "go ahead", "resume"],
    does: "continues a reply that was stopped",
  },
  repeat: {
    says: ["repeat that", "say that again", "again", "repeat"],
    does: "says again what was said last",
  },
  slower: { says: ["slower", "speak slower", "slow down"], does: "says the reply more slowly" },
  faster: { says: ["faster", "speak faster", "speed up"], does: "says the reply faster" },
  skip: {
    says: ["skip", "skip that", "skip this", "next sentence"],
    does: "goes to the next sentence of what is being said",
  },
  "read it all": {
    says: ["read it all", "read all of it", "read the rest"],
    does: "reads the rest of the last reply, where only its beginning was said",
  },
} as const satisfies Record<string, SpokenCommandEntry>;

/** Heard while a reply is said, or something waits for an answer: other parts of voice take them. */
const others: readonly SpokenCommandEntry[] = [
  {
    says: ["approve", "yes", "allow it"],
    does: "allows what is waiting, if the card says you may answer by voice",
  },
  { says: ["deny", "no", "don't"], does: "denies what is waiting" },
  {
    says: ["allow all", "deny all", "allow the first", "deny the last"],
    does: "answers where several approvals are waiting",
  },
  {
    says: ["stop", "wait", "cancel", "never mind"],
    does: "stops the reply and the turn (`voice.stopWords`)",
  },
  ...Object.values(spokenAsides),
];

/** All that can be said, in the order in which it is shown. */
export const spokenCommandList: readonly SpokenCommandEntry[] = [
  actions.new_conversation,
  ...Object.values(worded),
  ...actionNames.filter((name) => name !== "new_conversation").map((name) => actions[name]),
  ...others,
];

/** The command that the whole of an utterance is, but for politeness around it; null: it is none. Pure. */
export function spokenCommandOf(text: string): SpokenCommand | null {
  const plain = withoutPoliteness(asSpoken(text));
  const name = actionNames.find((one) => {
    const { says, heardAs = [] }: SpokenCommandEntry = actions[one];
    return [...says, ...heardAs].some((phrase) => phrase.toLowerCase() === plain);
  });
  if (name) return { name };
  for (const { name: wordedName, opening } of openings) {
    if (plain.startsWith(opening)) return { name: wordedName, about: plain.slice(opening.length) };
  }
  return null;
}

const openings = Object.keys(worded)
  .filter(isWordedName)
  .flatMap((name) => worded[name].says.map((phrase) => ({ name, opening: phrase.replace("…", "") })));

/** “café” as “cafe”: recognisers of English write no accents. */
const plainLetters = (text: string) => text.normalize("NFD").replace(/\p{M}/gu, "");

/** Small words that may be said and need not stand in a title. */
const smallWords = new Set(["the", "a", "an", "my", "our"]);

/**
 * The conversation that is meant by what was said of it: all words stand in its title. Of several the first.
 * @param conversations last used first @returns undefined: none, and the words are a prompt like any other
 */
export function conversationAbout<C extends { title: string }>(
  about: string,
  conversations: readonly C[],
): C | undefined {
  const said = plainLetters(about)
    .split(" ")
    .filter((word) => !smallWords.has(word));
  if (said.length === 0) return undefined;
  return conversations.find(({ title }) => {
    const inWords = /\d/.test(title) ? asSpoken(numbersInWords(title)) : "";
    const words = new Set(plainLetters(`${asSpoken(title)} ${inWords}`).split(" "));
    return said.every((word) => words.has(word));
  });
}
