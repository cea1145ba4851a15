import {
  conversationAbout,
  isWindowCommand,
  quickCommands,
  type SpokenCommand,
  spokenCommandOf,
  type WindowCommand,
} from "../../shared/voice/spoken-commands.ts";
import { namedBy } from "../../shared/voice/spoken-names.ts";
import { sendNow } from "../agent/conversation/send-now.ts";
import type { QuickPrompts } from "../desktop/quick/quick-prompts.ts";
import type { Windows } from "../desktop/shell/windows.ts";
import { copyText } from "../desktop/windows/copy-text.ts";
import type { SpokenCommands } from "../voice/routing/utterance-router.ts";
import type { VoiceTarget } from "../voice/routing/voice-target.ts";
import type { VoiceService } from "../voice/session/voice-service.ts";
import type { SpeechOutput } from "../voice/speaking/speech-output.ts";
import type { composeConversations } from "./conversations.ts";

export interface ComposeSpokenCommandsOptions {
  agent: Pick<ReturnType<typeof composeConversations>, "conversations" | "create" | "find" | "show">;
  windows: Windows;
  /** It hears the commands and does some of them. */
  voice(): VoiceService;
  /** What is said to the quick prompt is done there. */
  quick(): QuickPrompts;
  speech: SpeechOutput;
  /** Names that stand for a model, such as `opus`. */
  aliasesOf(target: VoiceTarget): readonly { alias: string }[];
  /** Of what can be pressed in the main window by saying them. */
  shownNames(): readonly string[];
  log(line: string): void;
}

type MainCommand = Exclude<SpokenCommand["name"], WindowCommand | "open_about" | "use_model">;

/** So many conversations are looked through for one that was named. */
const mostConversations = 10_000;

/** These are about what the window shows: they do not bring it to the front. */
const staysBehind: ReadonlySet<WindowCommand> = new Set([
  "scroll_down",
  "scroll_up",
  "scroll_top",
  "scroll_end",
  "send_dictation",
  "close",
  "press",
  "close_settings",
  "close_panel",
]);

/** What can be said to the app, and what does it. */
export function composeSpokenCommands(options: ComposeSpokenCommandsOptions): SpokenCommands {
  const { agent, windows, voice, quick, speech, aliasesOf, shownNames, log } = options;
  const about = (words: string) => {
    const { sessions } = agent.conversations.list({ limit: mostConversations });
    const lastUsedFirst = sessions.toSorted((one, other) => other.updatedAt - one.updatedAt);
    return conversationAbout(words, lastUsedFirst);
  };
  const goTo = (conversationId: string) => {
    speech.stop();
    voice().moveTo(agent.find(conversationId));
  };
  /** The main window comes, and shows what is listened to: the quick prompt would hide that. */
  const showInMain = (conversationId: string) => {
    windows.openMain(conversationId);
    windows.quick.hide("opened");
  };
  const open = (words: string) => {
    const found = about(words);
    if (!found) return;
    const { id } = agent.conversations.open(found.conversationId);
    if (quick().isListening || !windows.isMainOpen) showInMain(id);
    else agent.show(id);
    goTo(id);
  };
  const begin = () => {
    if (quick().isListening) {
      speech.stop();
      quick().beginByWord();
      return;
    }
    const id = agent.create();
    if (!windows.isMainOpen) windows.openMain(id);
    goTo(id);
  };
  const lastReply = (target: VoiceTarget) => {
    const reply = target.view().items.findLast((item) => item.kind === "assistant" && item.text !== "");
    return reply?.kind === "assistant" ? reply : null;
  };
  const nextPrompt = (target: VoiceTarget) => target.view().queue[0];
  const canTryAgain = (target: VoiceTarget) => {
    const last = target.view().items.at(-1);
    return last?.kind === "error" && last.canRetry;
  };
  const inMain: Record<MainCommand, (at: VoiceTarget) => unknown> = {
    new_conversation: begin,
    read_again: (target) => {
      const reply = lastReply(target);
      if (reply) speech.say(target.id, reply.text, reply.key);
    },
    copy_that: (target) => {
      const reply = lastReply(target);
      if (reply) copyText(reply.text);
    },
    try_again: (target) => agent.find(target.id).retry(),
    send_next: (target) => {
      const next = nextPrompt(target);
      if (next) sendNow(agent.find(target.id), next.inputId);
    },
    start_dictating: (target) => voice().dictate(target, true),
    stop_dictating: (target) => voice().dictate(target, false),
    mute: () => voice().mute(true),
    stop_listening: () => voice().stop(),
  };
  const inWindow = async (name: WindowCommand, target: VoiceTarget, words: string) => {
    if (name === "send_dictation") await voice().dictate(target, false);
    // What was dictated without a window stands in its text box, to be looked at first.
    if (!windows.isMainOpen && name === "send_dictation" && !quick().isListening)
      return windows.openMain(target.id);
    const told = { type: "spoken-command", name, about: words } as const;
    if (!quick().isListening) {
      if (staysBehind.has(name)) windows.tellMain(told);
      else windows.showInMain(told);
    } else if (quickCommands.has(name)) windows.tellQuick(told);
    else {
      showInMain(target.id);
      windows.showInMain(told);
    }
  };
  const act = async (command: SpokenCommand, target: VoiceTarget): Promise<void> => {
    const { name } = command;
    const words = "about" in command ? command.about : "";
    if (isWindowCommand(name)) await inWindow(name, target, words);
    else if (name === "open_about") open(words);
    else if (name === "use_model") agent.find(target.id).chooseModel({ model: words });
    else await inMain[name](target);
  };
  /** What would do nothing is a prompt: without such a conversation it may be a file that is meant. */
  const isPossible = (command: SpokenCommand, target: VoiceTarget): boolean => {
    const { name } = command;
    const isShown = windows.isMainOpen || quick().isListening;
    if (isWindowCommand(name) && staysBehind.has(name) && name !== "send_dictation" && !isShown) return false;
    switch (name) {
      case "open_about":
        return about(command.about) !== undefined;
      case "use_model":
        return aliasesOf(target).some(({ alias }) => alias === command.about);
      case "press":
        return windows.isMainOpen && !quick().isListening && namedBy(shownNames(), command.about) >= 0;
      case "try_again":
        return canTryAgain(target);
      case "send_next":
        return nextPrompt(target) !== undefined;
      case "read_again":
      case "copy_that":
        return lastReply(target) !== null;
      case "stop_dictating":
      case "send_dictation":
        return voice().isDictating;
      default:
        return true;
    }
  };
  return {
    of: (text, target) => {
      const command = spokenCommandOf(text);
      return command && isPossible(command, target) ? command : null;
    },
    run: (command, target) =>
      void act(command, target).catch((error: unknown) => log(`a spoken command: ${String(error)}`)),
  };
}
