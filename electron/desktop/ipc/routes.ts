import type { WebContents } from "electron";
import type { Attachment } from "../../../shared/conversation/attachments.ts";
import { settingsFor } from "../../../shared/conversation/model-choice.ts";
import type { ModelServerOffer } from "../../../shared/ipc/model-routes.ts";
import type { AppInfo } from "../../../shared/ipc/setting-routes.ts";
import { isKeyLine, shownLine } from "../../../shared/safety/secrets.ts";
import type { Settings } from "../../../shared/settings.ts";
import type { Conversation } from "../../agent/conversation/conversation.ts";
import type { Conversations } from "../../agent/conversation/conversations.ts";
import { sendNow } from "../../agent/conversation/send-now.ts";
import type { Rewinding } from "../../agent/ports/checkpoint-ports.ts";
import type { SessionStore } from "../../agent/ports/session-store.ts";
import { parseCommandLine } from "../../commands/parse.ts";
import type { CommandRegistry } from "../../commands/registry.ts";
import type { ServerActions } from "../../mcp/server-actions.ts";
import type { FolderTrust } from "../../trust/folder-trust.ts";
import type { OfferedSpeech } from "../../voice/offers/offered-speech.ts";
import type { VoiceService } from "../../voice/session/voice-service.ts";
import type { SpeechOutput } from "../../voice/speaking/speech-output.ts";
import type { WordTeacher } from "../../voice/words/word-teacher.ts";
import type { Doctor } from "../doctor/doctor.ts";
import type { KeyAddressOffers } from "../net/key-address-offer.ts";
import type { ModelServerOffers } from "../net/model-server-offer.ts";
import type { QuickPrompts } from "../quick/quick-prompts.ts";
import { quickRoutes } from "../quick/quick-routes.ts";
import type { AppSecrets } from "../shell/app-secrets.ts";
import { openFile } from "../shell/open-file.ts";
import { openLink } from "../shell/security.ts";
import type { Windows } from "../shell/windows.ts";
import { type AttachmentRoutesOptions, attachmentRoutes } from "./attachment-routes.ts";
import { checkpointRoutes } from "./checkpoint-routes.ts";
import { type DataRoutesOptions, dataRoutes } from "./data-routes.ts";
import type { FileAttachments } from "./file-attachments.ts";
import { type FolderRoutesOptions, folderRoutes } from "./folder-routes.ts";
import type { IpcHandlers } from "./ipc.ts";
import { type KeyRoutesOptions, keyRoutes } from "./key-routes.ts";
import { mcpRoutes } from "./mcp-routes.ts";
import { type ModelRoutesOptions, modelRoutes } from "./model-routes.ts";
import { type PermissionRoutesOptions, permissionRoutes } from "./permission-routes.ts";
import { type SessionRoutesOptions, sessionRoutes } from "./session-routes.ts";
import { type SettingRoutesOptions, settingRoutes } from "./setting-routes.ts";
import { setUpRoutes } from "./setup-routes.ts";
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
  openFolder: FolderRoutesOptions["openFolder"];
  doctor: Pick<Doctor, "check">;
  /** Looks for a model server on this computer. */
  findServer(): Promise<ModelServerOffer | null>;
  voice: VoiceService;
  quick: QuickPrompts;
  bindShortcut(): Promise<string>;
  offers: OfferedSpeech;
  speech: SpeechOutput;
  /** Learns the user's words from what they correct. */
  words: Pick<WordTeacher, "corrected" | "forget">;
  /** Takes the names of what can be pressed in the main window by saying them. */
  showNames(names: readonly string[]): void;
  windows: Windows;
  subscriptions: WindowSubscriptions;
  /** The main window shows another conversation, or is new. */
  onShown(): void;
  /** What stands beside prompts. */
  fileAttachments: FileAttachments;
  attaching: Pick<AttachmentRoutesOptions, "attachedFiles" | "screens">;
  mcp: ServerActions;
  permissions: Omit<PermissionRoutesOptions, "find">;
  models: Omit<ModelRoutesOptions, "find">;
  trust: Pick<FolderTrust, "request" | "answer" | "trusted" | "forget">;
  appInfo(): AppInfo;
  changeSettings(values: Partial<Settings>): void;
  newConversation(): string;
  /** Of a new conversation. */
  newWorkingFolder(): string;
  secrets: Pick<AppSecrets, "redact" | "request"> & KeyRoutesOptions["secrets"];
  keys: Omit<KeyRoutesOptions, "secrets">;
  settings: Omit<SettingRoutesOptions, "adoptVoice">;
  data: DataRoutesOptions;
  modelServers: Pick<ModelServerOffers, "answer">;
  keyAddresses: Pick<KeyAddressOffers, "answer">;
}

/** What each call of a window does. Everything that must survive a closed window happens here, in main. */
export function createRoutes(options: RoutesOptions): IpcHandlers {
  const { conversations, store, rewinding, files, commands, voice, windows, subscriptions } = options;
  const { secrets, fileAttachments } = options;
  const conversation = (id: string) => findConversation(conversations, id);

  const submit = (
    target: Conversation,
    text: string,
    origin: "typed" | "quick",
    {
      attached = [],
      about,
    }: { attached?: readonly Attachment[] | undefined; about?: number | undefined } = {},
  ) => {
    if (!parseCommandLine(text)) {
      return target.submit({ text, origin, source: null, attachments: attached, about }).inputId;
    }
    commands
      .answer(text, { conversationId: target.id })
      .then(({ output, isError = false }) => {
        // A command's line and answer are kept with the events, and may hold what was meant for nobody else.
        target.answerCommand({
          line: shownLine(text, secrets.redact),
          output: secrets.redact(output),
          isError,
        });
      })
      .catch(console.error);
    return null;
  };

  /** Without a conversation: of the one that a quick prompt would go to. */
  const folderOf = (id: string | undefined) =>
    id === undefined ? (options.quick.folder ?? options.newWorkingFolder()) : conversation(id).workingFolder;

  return {
    ...sessionRoutes({ conversations, store, find: conversation, files, words: options.words }),
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
    ...setUpRoutes({
      secrets,
      findServer: options.findServer,
      changeSettings: options.changeSettings,
    }),
    ...folderRoutes({ find: conversation, store, openFolder: options.openFolder }),
    ...checkpointRoutes({ rewinding, find: conversation, openFile }),
    ...attachmentRoutes({ ...options.attaching, fileAttachments, store, find: conversation, folderOf }),
    ...voiceRoutes({
      voice,
      speech: options.speech,
      offers: options.offers,
      words: options.words,
      showNames: options.showNames,
      find: conversation,
      changeSettings: options.changeSettings,
    }),
    "app.info": () => options.appInfo(),
    "doctor.check": ({ name }) => options.doctor.check(name),
    "conversation.create": () => ({ conversationId: options.newConversation() }),
    "conversation.attach": ({ conversationId }, sender: WebContents) => {
      const target = conversationId === undefined ? conversations.current() : conversation(conversationId);
      const isMain = windows.isMain(sender);
      if (isMain) conversations.select(target.id);
      // A window that was closed while voice was switched on elsewhere learns of it here.
      push(sender, { type: "voice", voice: voice.snapshot() });
      const view = subscriptions.attach(sender, target);
      if (isMain) options.onShown();
      return view;
    },
    "conversation.submit": ({
      conversationId,
      text,
      origin,
      attachments: references = [],
      meeting: about,
    }) => {
      const taken = (attached?: Attachment[]) => {
        const target = conversationId === undefined ? options.quick.take() : conversation(conversationId);
        return { conversationId: target.id, inputId: submit(target, text, origin, { attached, about }) };
      };
      // Without any it is taken in this very turn: prompts stay in the order in which they were sent.
      if (references.length === 0) return taken();
      if (parseCommandLine(text))
        throw new Error("Commands can't have attachments. Remove them, then send it.");
      const chosen = conversationId === undefined ? null : conversation(conversationId).modelChoice;
      const { settings, describe } = options.models;
      const model = chosen ? describe(settingsFor(settings(), chosen)) : undefined;
      return fileAttachments.read(folderOf(conversationId), references, model).then(taken);
    },
    "conversation.retry": ({ conversationId }) => void conversation(conversationId).retry(),
    "conversation.tryNow": ({ conversationId }) => conversation(conversationId).tryNow(),
    "conversation.steer": ({ conversationId, text }) => {
      const target = conversation(conversationId);
      // Nothing that may be a key reaches the model.
      return isKeyLine(text) ? submit(target, text, "typed") : target.steer({ text, source: null });
    },
    ...permissionRoutes({ ...options.permissions, find: conversation }),
    ...modelRoutes({ ...options.models, find: conversation }),
    "question.answer": ({ conversationId, questionId, answer }) =>
      conversation(conversationId).answerQuestion(questionId, answer),
    "conversation.stop": ({ conversationId }) => conversation(conversationId).stop(),
    "input.drop": ({ conversationId, inputId }) => void conversation(conversationId).dropInput(inputId),
    "input.edit": ({ conversationId, inputId, text }) => {
      const target = conversation(conversationId);
      const heard = target.view().queue.some((input) => input.inputId === inputId)
        ? target.heardOf(inputId)
        : null;
      if (!target.editInput(inputId, text)) {
        throw new Error("This prompt is no longer waiting: it was sent or removed.");
      }
      if (heard) options.words.corrected(inputId, heard, text);
    },
    "input.send": ({ conversationId, inputId }) => sendNow(conversation(conversationId), inputId),
    ...keyRoutes({ ...options.keys, secrets }),
    ...settingRoutes({ ...options.settings, adoptVoice: () => voice.adopted() }),
    ...dataRoutes(options.data),
    "model.server": ({ id, isAgreed }) => options.modelServers.answer(id, isAgreed),
    "key.address": ({ id, isAgreed }) => options.keyAddresses.answer(id, isAgreed),
    "link.open": ({ url }) => openLink(url),
    ...quickRoutes({
      ...options.attaching,
      window: windows.quick,
      prompts: options.quick,
      bindShortcut: options.bindShortcut,
    }),
    "window.open": ({ conversationId }, sender) => {
      windows.openMain(conversationId);
      if (!windows.isMain(sender)) windows.quick.hide("opened");
    },
  };
}

/** The open one, or the one in the store. @throws Error when there is none of that id */
export function findConversation(conversations: Conversations, id: string): Conversation {
  return conversations.get(id) ?? conversations.open(id);
}
