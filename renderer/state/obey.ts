import { quickCommands, type WindowCommand } from "../../shared/voice/spoken-commands.ts";
import type { WindowAction } from "./keys/window-keys.ts";
import type { Signal } from "./signal.ts";

/** By most of a page, or to an end. */
export type ScrollWish = "down" | "up" | "top" | "end";

/** What of any window's state is needed for it. */
interface ReadAndWritten {
  scrollWanted: Signal<ScrollWish>;
  sendWanted: Signal;
}

/** What of the main window's state is needed for it. */
interface SpokenTo extends ReadAndWritten {
  /** As by its key. */
  actionWanted: Signal<WindowAction>;
  panelWanted: Signal<boolean>;
  closeWanted: Signal<"top" | "all">;
  pressWanted: Signal<string>;
  showApprovals(): void;
  showNeighbour(step: 1 | -1): void;
  rewindLast(): void;
  settingsPage: { open(): void; close(): void };
  voicePanel: { showSpoken(): void };
  find: { open(): void; setText(text: string): unknown };
  palette: { openWith(words: string, kind?: "models" | null): void };
}

const acts: Readonly<Record<WindowCommand, (window: SpokenTo, about: string) => unknown>> = {
  scroll_down: ({ scrollWanted }) => scrollWanted.emit("down"),
  scroll_up: ({ scrollWanted }) => scrollWanted.emit("up"),
  scroll_top: ({ scrollWanted }) => scrollWanted.emit("top"),
  scroll_end: ({ scrollWanted }) => scrollWanted.emit("end"),
  show_approvals: (window) => window.showApprovals(),
  send_dictation: ({ sendWanted }) => sendWanted.emit(),
  open_settings: ({ settingsPage }) => settingsPage.open(),
  close_settings: ({ settingsPage }) => settingsPage.close(),
  help: ({ voicePanel }) => voicePanel.showSpoken(),
  rewind: (window) => window.rewindLast(),
  next_conversation: (window) => window.showNeighbour(1),
  previous_conversation: (window) => window.showNeighbour(-1),
  close: ({ closeWanted }) => closeWanted.emit("top"),
  press: ({ pressWanted }, about) => pressWanted.emit(about),
  find: ({ find }) => find.open(),
  search_here: ({ find }, about) => {
    find.open();
    find.setText(about);
  },
  search_all: ({ palette }, about) => palette.openWith(about),
  open_palette: ({ palette }) => palette.openWith(""),
  choose_model: ({ palette }) => palette.openWith("", "models"),
  choose_level: ({ actionWanted }) => actionWanted.emit("level"),
  open_panel: ({ panelWanted }) => panelWanted.emit(true),
  close_panel: ({ panelWanted }) => panelWanted.emit(false),
  show_servers: ({ actionWanted }) => actionWanted.emit("servers"),
  show_keys: ({ actionWanted }) => actionWanted.emit("keys"),
};

/** They lead to something that a dialog would cover. */
const behindDialogs: ReadonlySet<WindowCommand> = new Set([
  "show_approvals",
  "next_conversation",
  "previous_conversation",
  "find",
  "search_here",
  "choose_level",
  "open_panel",
  "help",
]);

/** Does in the main window what was said to the app. @param about the words that were said with it */
export function obey(window: SpokenTo, command: WindowCommand, about: string): void {
  if (behindDialogs.has(command)) window.closeWanted.emit("all");
  acts[command](window, about);
}

/** The same in the quick prompt, for what it can do. */
export function obeyInQuick(quick: ReadAndWritten & { close(): void }, command: WindowCommand): void {
  if (!quickCommands.has(command)) return;
  if (command === "close") quick.close();
  else if (command === "send_dictation") quick.sendWanted.emit();
  else quick.scrollWanted.emit(scrolls[command] ?? "end");
}

const scrolls: Readonly<Partial<Record<WindowCommand, ScrollWish>>> = {
  scroll_down: "down",
  scroll_up: "up",
  scroll_top: "top",
};
