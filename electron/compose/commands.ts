import { resolve } from "node:path";
import {
  type NamedProvider,
  namedProviders,
  settingsFor,
  staysHere,
} from "../../shared/conversation/model-choice.ts";
import { modelName } from "../../shared/conversation/model-name.ts";
import { createCommandRegistry } from "../commands/registry.ts";
import { settingsCommand } from "../commands/settings.ts";
import { checkpointCommand } from "../conversation-commands/checkpoint-command.ts";
import { folderCommand } from "../conversation-commands/folder-command.ts";
import { meetingCommand } from "../conversation-commands/meeting-command.ts";
import {
  effortCommand,
  type ModelCommandOptions,
  modelCommand,
} from "../conversation-commands/model-command.ts";
import { newCommands } from "../conversation-commands/new-command.ts";
import { sessionCommand } from "../conversation-commands/session-command.ts";
import type { Doctor } from "../desktop/doctor/doctor.ts";
import { doctorCommand } from "../desktop/doctor/doctor-command.ts";
import type { Windows } from "../desktop/shell/windows.ts";
import { type Updates, updateCommand } from "../desktop/update/updates.ts";
import { expandHome } from "../files/expand-home.ts";
import { permissionsCommand } from "../permissions/permissions-command.ts";
import { answerTrust, trustCommand } from "../trust/trust-command.ts";
import { voiceCommand } from "../voice/session/voice-command.ts";
import { sayCommand } from "../voice/speaking/say-command.ts";
import type { Base } from "./base.ts";
import type { composeConversations } from "./conversations.ts";
import type { composeFence } from "./fence.ts";
import type { composeMcp } from "./mcp.ts";
import type { composeModels } from "./models.ts";
import type { composeStore } from "./store.ts";
import type { composeTrust } from "./trust.ts";
import type { composeVoice } from "./voice.ts";

export interface ComposeCommandsOptions {
  base: Base;
  windows: Windows;
  trust: ReturnType<typeof composeTrust>;
  models: ReturnType<typeof composeModels>;
  fences: ReturnType<typeof composeFence>;
  storage: ReturnType<typeof composeStore>;
  mcp: ReturnType<typeof composeMcp>;
  agent: ReturnType<typeof composeConversations>;
  voice: ReturnType<typeof composeVoice>;
  doctor: Doctor;
  updates: Updates;
  /** The first line of the doctor's report. */
  doctorHead: string;
}

/** What can be typed with a slash, from each part what controls it. */
export function composeCommands(options: ComposeCommandsOptions) {
  const { base, windows, trust, models, fences, storage, mcp, agent, voice, doctor, updates, doctorHead } =
    options;
  const { settings } = base;
  const { conversations, policy, find } = agent;
  const folderOf = (conversationId: string) => find(conversationId).workingFolder;
  const inFolder = (path: string, folder: string) => resolve(folder, expandHome(path));
  const settingsOf = (conversationId: string) =>
    settingsFor(settings.current(), find(conversationId).modelChoice);
  const settingsAt = (conversationId: string, provider: NamedProvider | null) => {
    const own = settingsOf(conversationId);
    return { ...own, provider: provider ?? own.provider };
  };
  const answering: ModelCommandOptions = {
    now: (conversationId) => {
      const own = settingsOf(conversationId);
      const { provider, modelId, modelLabel: label, efforts } = models.describe(own);
      return { provider, modelId, label, effort: own.effort, efforts };
    },
    choose: (conversationId, changes) => find(conversationId).chooseModel(changes),
    aliases: (conversationId, provider) => models.aliases(settingsAt(conversationId, provider)),
    list: async (conversationId, provider) => {
      const own = settingsAt(conversationId, provider);
      const listed = await models.lists.of(own, new AbortController().signal);
      return listed?.map(({ id }) => id) ?? null;
    },
    others: (conversationId) => {
      if (staysHere(settings.current().provider)) return [];
      const { provider: answers } = models.describe(settingsOf(conversationId));
      const hasModel = (one: NamedProvider) =>
        models.describe(settingsAt(conversationId, one)).modelId !== null;
      return namedProviders.filter((one) => one !== answers && hasModel(one));
    },
  };
  return createCommandRegistry(
    [
      mcp.command,
      trust.secrets.command,
      voiceCommand({
        voice: voice.voice,
        target: find,
        settings: settings.current,
        resolvePath: (path, conversationId) => inFolder(path, folderOf(conversationId)),
      }),
      modelCommand(answering),
      effortCommand(answering),
      meetingCommand({ store: storage.store, conversation: find, showMeeting: agent.showMeeting }),
      sayCommand(voice.speech),
      sessionCommand({
        sessions: conversations,
        store: storage.store,
        files: storage.files,
        conversation: find,
        nameOfModel: (conversationId) => modelName(models.describe(settingsOf(conversationId)).modelLabel),
        show: agent.show,
        isKept: () => storage.isKept,
        resolvePath: inFolder,
      }),
      settingsCommand(() => windows.showInMain({ type: "show-settings" })),
      ...newCommands({ sessions: conversations, show: agent.show }),
      doctorCommand(doctor, doctorHead),
      updateCommand(updates),
      folderCommand({ conversation: find, resolvePath: inFolder }),
      checkpointCommand({ rewinding: storage.checkpoints, settings: settings.current, conversation: find }),
      trustCommand({ trust: trust.trust, workingFolder: folderOf }),
      permissionsCommand({
        ...policy,
        setLevel: (conversationId, level) => find(conversationId).changeMode(level),
        forgetHosts: (conversationId) => fences.fences.forgetHosts(conversationId),
        fence: () => {
          // The answer does not wait for it: windows hear what was found.
          fences.need().catch(base.reportError);
          return fences.info();
        },
        rules: () => settings.current().permissionRules,
        saveRules: (rules) => settings.change({ permissionRules: [...rules] }),
        answerTrust: (folder, isTrusted) => answerTrust(trust.trust, folder, isTrusted),
        isTrusted: trust.trust.isTrusted,
        workingFolder: folderOf,
      }),
    ],
    mcp.promptCommands,
  );
}
