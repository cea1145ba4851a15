import { isDeepStrictEqual } from "node:util";
import type { FenceInfo } from "../../../shared/safety/permissions.ts";
import type { Settings } from "../../../shared/settings.ts";
import type { Conversation } from "../../agent/conversation/conversation.ts";
import type { FenceState } from "../../agent/ports/ports.ts";
import { realPath } from "../../permissions/real-path.ts";
import { reviewed } from "../../permissions/review-rules.ts";
import { ruleAsWritten } from "../../permissions/rule-from-words.ts";
import type { IpcHandlers } from "./ipc.ts";

export interface PermissionRoutesOptions {
  find(conversationId: string): Conversation;
  settings(): Settings;
  /** Windows hear of it. */
  changeSettings(values: Partial<Settings>): void;
  /** Looks for the fence again; windows hear what was found. */
  checkFence(): Promise<void>;
}

/** What windows say about what may run. */
export function permissionRoutes({ find, settings, changeSettings, checkFence }: PermissionRoutesOptions) {
  return {
    "approval.answer": ({ conversationId, approvalId, allowed, reason, scope, outside }) =>
      find(conversationId).answerApproval(approvalId, allowed, reason, scope, outside),
    "permission.mode": ({ conversationId, mode }) => find(conversationId).changeMode(mode),
    "permission.confirm": ({ conversationId, level }) => {
      const conversation = find(conversationId);
      if (conversation.permissionMode === "auto") conversation.changeMode(level);
      else if (conversation.permissionMode === null && settings().permissionMode === "auto") {
        changeSettings({ permissionMode: level });
      } else throw new Error("There is nothing left to agree to: the level has been chosen.");
    },
    "permission.add": (written) => {
      const { folder } = written;
      const real = folder === null ? null : realPath(folder, folder);
      if (folder !== null && real === null) throw new Error(`There is no folder ${folder}.`);
      const rule = ruleAsWritten({ ...written, folder: real?.real ?? null });
      if (typeof rule === "string") throw new Error(rule);
      const { permissionRules } = settings();
      if (permissionRules.some((known) => isDeepStrictEqual(known, rule))) {
        throw new Error("There is this rule already.");
      }
      changeSettings({ permissionRules: [...permissionRules, rule] });
    },
    "permission.review": ({ rule, answer }) => {
      changeSettings({ permissionRules: reviewed(settings().permissionRules, rule, answer) });
    },
    "fence.check": checkFence,
    "overheard.lift": ({ conversationId }) => find(conversationId).liftOverheard(),
  } satisfies Partial<IpcHandlers>;
}

/** The fence as windows show it. */
export const fenceInfo = (setting: FenceInfo["setting"], state: FenceState): FenceInfo =>
  state.isThere
    ? { setting, isThere: true, why: null, mend: null }
    : { setting, isThere: false, why: state.why, mend: state.mend, isChecking: state.isChecking };
