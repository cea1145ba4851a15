import type { WebContents } from "electron";
import type { Attachment } from "../../../shared/conversation/attachments.ts";
import type { AppInfo } from "../../../shared/ipc.ts";
import { isKeyLine, shownLine } from "../../../shared/safety/secrets.ts";
import type { Settings } from "../../../shared/settings.ts";
import type { Conversation } from "../../agent/conversation/conversation.ts";
import type { Conversations } from "../../agent/conversation/conversations.ts";
import type { Rewinding } from "../../agent/ports/checkpoint-ports.ts";
import type { SessionStore } from "../../agent/ports/session-store.ts";
import { parseCommandLine } from "../../commands/parse.ts";
import type { CommandRegistry } from "../../commands/registry.ts";
import type { ServerActions } from "../../mcp/server-actions.ts";
import type { FolderTrust } from "../../trust/folder-trust.ts";
import type { VoiceService } from "../../voice/session/voice-service.ts";
import type { SpeechOutput } from "../../voice/speaking/speech-output.ts";
import type { KeyAddressOffers } from "../net/key-address-offer.ts";
import type { ModelServerOffers } from "../net/model-server-offer.ts";
import type { AppSecrets } from "../shell/app-secrets.ts";
import { openLink } from "../shell/security.ts";
import type { Windows } from "../shell/windows.ts";
import { checkpointRoutes } from "./checkpoint-routes.ts";
import type { FileAttachments } from "./file-attachments.ts";
import type { IpcHandlers } from "./ipc.ts";
import { mcpRoutes } from "./mcp-routes.ts";
import { type PermissionRoutesOptions, permissionRoutes } from "./permission-routes.ts";
import { type SessionRoutesOptions, sessionRoutes } from "./session-routes.ts";
import { trustRoutes } from "./trust-routes.ts";
import { voiceRoutes } from "./voice-routes.ts";
import { push, type WindowSubscriptions } from "./window-subscriptions.ts";

export interface RoutesOptions {
  conversations: Conversations;
  store: SessionStore;
  /** null where nothing is kept. */
  rewinding: Rewinding | null;
  files: SessionRoutesOptions["files"];
  commands: CommandRegistry;
  voice: VoiceService;
  speech: SpeechOutput;
  windows: Windows;
  subscriptions: WindowSubscriptions;
  /** What `@` puts beside a prompt. */
  fileAttachments: FileAttachments;
  mcp: ServerActions;
  permissions: Omit<PermissionRoutesOptions, "find">;
  trust: Pick<FolderTrust, "request" | "answer">;
  appInfo(): AppInfo;
  changeSettings(values: Partial<Settings>): void;
  newConversation(): string;
  /** Of a new conversation. */
  newWorkingFolder(): string;
  secrets: Pick<AppSecrets, "redact" | "askKey" | "setKey">;
  modelServers: Pick<ModelServerOffers, "answer">;
  keyAddresses: Pick<KeyAddressOffers, "answer">;
}

/** What each call of a window does. Everything that must survive a closed window happens here, in main. */
export function createRoutes(options: RoutesOptions): IpcHandlers {
  const { conversations, store, rewinding, files, commands, voice, windows, subscriptions, secrets } =
    options;
  const conversation = (id: string) => findConversation(conversations, id);

  const submit = (
    target: Conversation,
    text: string,
    origin: "typed" | "quick",
    attached: readonly Attachment[] = [],
  ) => {
    if (!parseCommandLine(text)) {
      return target.submit({ text, origin, source: null, attachments: attached }).inputId;
    }
    void commands.answer(text, { conversationId: target.id }).then(({ output, isError = false }) => {
      // A command's line and answer are kept with the events, and may hold what was meant for nobody else.
      target.answerCommand({
        line: shownLine(text, secrets.redact),
        output: secrets.redact(output),
        isError,
      });
    });
    return null;
  };

  /** Without a conversation: of the one that a quick prompt would go to. */
  const folderOf = (id: string | undefined) => {
    if (id !== undefined) return conversation(id).workingFolder;
    return isEmpty(conversations.current())
      ? conversations.current().workingFolder
      : options.newWorkingFolder();
  };

  return {
    ...sessionRoutes({ conversations, store, find: conversation, files }),
    ...mcpRoutes({
      actions: options.mcp,
      folderOf: (id) => conversation(id).workingFolder,
      redact: secrets.redact,
    }),
    ...trustRoutes({
      trust: options.trust,
      folderOf: (id) => conversation(id).workingFolder,
      redact: secrets.redact,
    }),
    ...checkpointRoutes({ rewinding, find: conversation }),
    ...voiceRoutes({
      voice,
      speech: options.speech,
      find: conversation,
      changeSettings: options.changeSettings,
    }),
    "app.info": () => options.appInfo(),
    "conversation.create": () => ({ conversationId: options.newConversation() }),
    "conversation.attach": ({ conversationId }, sender: WebContents) => {
      const target = conversationId === undefined ? conversations.current() : conversation(conversationId);
      if (windows.isMain(sender)) conversations.select(target.id);
      // A window that was closed while voice was switched on elsewhere learns of it here.
      push(sender, { type: "voice", voice: voice.snapshot() });
      return subscriptions.attach(sender, target);
    },
    "conversation.submit": ({ conversationId, text, origin, attachments: references = [] }) => {
      const taken = (attached?: Attachment[]) => {
        const target = conversationId === undefined ? conversations.unused() : conversation(conversationId);
        return { conversationId: target.id, inputId: submit(target, text, origin, attached) };
      };
      // Without any it is taken in this very turn: prompts stay in the order in which they were sent.
      if (references.length === 0) return taken();
      if (parseCommandLine(text))
        throw new Error("A command takes no attachments: remove them, then send it.");
      return options.fileAttachments.read(folderOf(conversationId), references).then(taken);
    },
    "attachment.find": ({ conversationId, words }) =>
      options.fileAttachments.find(folderOf(conversationId), words),
    "conversation.retry": ({ conversationId }) => void conversation(conversationId).retry(),
    "conversation.steer": ({ conversationId, text }) => {
      const target = conversation(conversationId);
      // Nothing that may be a key reaches the model.
      return isKeyLine(text) ? submit(target, text, "typed") : target.steer(text);
    },
    ...permissionRoutes({ ...options.permissions, find: conversation }),
    "question.answer": ({ conversationId, questionId, answer }) =>
      conversation(conversationId).answerQuestion(questionId, answer),
    "conversation.stop": ({ conversationId }) => conversation(conversationId).stop(),
    "input.drop": ({ conversationId, inputId }) => void conversation(conversationId).dropInput(inputId),
    "input.edit": ({ conversationId, inputId, text }) => {
      if (!conversation(conversationId).editInput(inputId, text)) {
        throw new Error("This prompt does not wait any more: it was sent or dropped.");
      }
    },
    "input.send": ({ conversationId, inputId }) => sendNow(conversation(conversationId), inputId),
    "key.ask": ({ variable }) => secrets.askKey(variable),
    "key.set": ({ variable, key, isWeakAccepted }) => secrets.setKey(variable, key, isWeakAccepted),
    "model.server": ({ id, isAgreed }) => options.modelServers.answer(id, isAgreed),
    "key.address": ({ id, isAgreed }) => options.keyAddresses.answer(id, isAgreed),
    "link.open": ({ url }) => openLink(url),
    "quick.close": () => windows.closeQuick(),
    "quick.resize": ({ heightPx }) => windows.resizeQuick(heightPx),
    "window.open": ({ conversationId }) => windows.openMain(conversationId),
  };
}

/** One that waits cannot pass the run before it: its words go into that run. What the computer played never does. */
function sendNow(conversation: Conversation, inputId: string): void {
  const input = conversation.view().queue.find((one) => one.inputId === inputId);
  if (!input || input.isHeld) return void conversation.sendInput(inputId);
  if (input.source === "loopback") throw new Error("What this computer played waits for its turn.");
  if (conversation.dropInput(inputId)) conversation.steer(input.text);
}

/** The open one, or the one in the store. @throws Error when there is none of that id */
export function findConversation(conversations: Conversations, id: string): Conversation {
  return conversations.get(id) ?? conversations.open(id);
}

const isEmpty = (conversation: Conversation) => conversation.view().items.length === 0;
