import { resolve } from "node:path";
import { createCommandRegistry } from "../commands/registry.ts";
import { checkpointCommand } from "../conversation-commands/checkpoint-command.ts";
import { folderCommand } from "../conversation-commands/folder-command.ts";
import { meetingCommand } from "../conversation-commands/meeting-command.ts";
import { newCommands } from "../conversation-commands/new-command.ts";
import { sessionCommand } from "../conversation-commands/session-command.ts";
import { expandHome } from "../files/expand-home.ts";
import { permissionsCommand } from "../permissions/permissions-command.ts";
import { answerTrust, trustCommand } from "../trust/trust-command.ts";
import { voiceCommand } from "../voice/session/voice-command.ts";
import { sayCommand } from "../voice/speaking/say-command.ts";
import type { Base } from "./base.ts";
import type { composeConversations } from "./conversations.ts";
import type { composeFence } from "./fence.ts";
import type { composeMcp } from "./mcp.ts";
import type { composeStore } from "./store.ts";
import type { composeTrust } from "./trust.ts";
import type { composeVoice } from "./voice.ts";

export interface ComposeCommandsOptions {
  base: Base;
  trust: ReturnType<typeof composeTrust>;
  fences: ReturnType<typeof composeFence>;
  storage: ReturnType<typeof composeStore>;
  mcp: ReturnType<typeof composeMcp>;
  agent: ReturnType<typeof composeConversations>;
  voice: ReturnType<typeof composeVoice>;
}

/** What can be typed with a slash, from each part what controls it. */
export function composeCommands({ base, trust, fences, storage, mcp, agent, voice }: ComposeCommandsOptions) {
  const { settings, workingFolder } = base;
  const { conversations, policy, find } = agent;
  const folderOf = (conversationId: string) => find(conversationId).workingFolder;
  const inFolder = (path: string, folder: string) => resolve(folder, expandHome(path));
  return createCommandRegistry(
    [
      mcp.command,
      trust.secrets.command,
      voiceCommand({
        voice: voice.voice,
        target: find,
        settings: settings.current,
        resolvePath: (path) => inFolder(path, workingFolder),
      }),
      meetingCommand({ store: storage.store, conversation: find }),
      sayCommand(voice.speech),
      sessionCommand({
        sessions: conversations,
        store: storage.store,
        files: storage.files,
        conversation: find,
        show: agent.show,
        isKept: () => storage.isKept,
        resolvePath: inFolder,
      }),
      ...newCommands({ sessions: conversations, show: agent.show }),
      folderCommand({ conversation: find, resolvePath: inFolder }),
      checkpointCommand({ rewinding: storage.checkpoints, settings: settings.current, conversation: find }),
      trustCommand({ trust: trust.trust, workingFolder: folderOf }),
      permissionsCommand({
        ...policy,
        setLevel: (conversationId, level) => find(conversationId).changeMode(level),
        forgetHosts: (conversationId) => fences.fences.forgetHosts(conversationId),
        fence: fences.info,
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
