import { join } from "node:path";
import type { UserError } from "../../shared/conversation/events.ts";
import type { Conversation } from "../agent/conversation/conversation.ts";
import { systemClock } from "../agent/conversation/system-clock.ts";
import type { AppSecrets } from "../desktop/shell/app-secrets.ts";
import { openCheckpoints } from "../store/checkpoints/thread/open-checkpoints.ts";
import { startUpkeep } from "../store/database/upkeep.ts";
import { SessionFiles } from "../store/exchange/session-files.ts";
import { openStore } from "../store/open-store.ts";
import type { MendingNews } from "../store/rescue/mender.ts";
import { rescuedText } from "../store/rescue/rescued-text.ts";
import type { Base } from "./base.ts";
import type { Disposal } from "./disposal.ts";

export interface ComposeStoreOptions {
  base: Pick<Base, "userData" | "settings" | "reportError" | "newId" | "problems" | "workingFolder">;
  secrets: Pick<AppSecrets, "sealKey">;
  disposal: Disposal;
  /** A built file, by its path below the output folder. */
  built(path: string): string;
  /** The conversations that are open, by id: what is not to be pruned. */
  open: ReadonlyMap<string, Conversation>;
  /** Conversations of a damaged database are there again. */
  onRescued(): void;
}

/** Of all conversations. @param userData the user-data folder */
export const databaseFile = (userData: string): string => join(userData, "parley.db");

/** What is kept: conversations, and files as they were. */
export function composeStore({ base, secrets, disposal, built, open, onRescued }: ComposeStoreOptions) {
  const { userData, settings, reportError, newId, problems } = base;
  const { memoryEnabled, durability } = settings.current();
  const file = databaseFile(userData);
  const threadEntry = built("main/store-worker.js");
  const tell = (news: MendingNews): void => {
    if (news.type === "began") {
      problems.report(isMending);
      return;
    }
    if (news.type === "stuck") {
      const { message: why, hint } = news.error;
      const message = `Parley's database is damaged, and a new one could not be made. ${why}`;
      const notKept = "Conversations may not be kept until you restart Parley.";
      problems.report({ code: "store_damaged", message, hint: `${notKept} ${hint}` });
      return;
    }
    problems.mended(isMending);
    const kept = `The damaged file is kept: ${news.copy}.`;
    if (news.type === "failed") {
      const message = "Parley could not read its damaged database.";
      problems.report({ code: "store_damaged", message, hint: `The next start tries again. ${kept}` });
      return;
    }
    problems.report({ code: "store_damaged", message: rescuedText(news.rescued), hint: kept });
    onRescued();
  };
  const { store, problem } = openStore({
    enabled: memoryEnabled,
    file,
    durability,
    threadEntry,
    mending: {
      workingFolder: base.workingFolder,
      letGo: async () => checkpoints?.letGo(),
      keepOpen() {
        for (const conversation of open.values()) conversation.keepAgain();
      },
      tell,
    },
    reportError,
  });
  disposal.defer(() => store.close());
  const stopAdopting = settings.onChange((changed) => {
    if (changed.has("durability")) store.setDurability(settings.current().durability);
  });
  disposal.defer(stopAdopting);
  if (problem) problems.report(problem);
  const isKept = memoryEnabled && !problem;
  const now = systemClock.now;
  const openIds = () => [...open.keys()];
  disposal.defer(startUpkeep({ store, settings: settings.current, open: openIds, now, reportError }));
  const entry = built("main/checkpoint-thread.js");
  const keyPlace = secrets.sealKey;
  const checkpoints = isKept
    ? openCheckpoints({ file, entry, settings: settings.current, keyPlace, reportError })
    : null;
  disposal.defer(() => checkpoints?.close());
  checkpoints?.settleCutOff().catch(reportError);
  checkpoints?.sealOld().catch(reportError);
  return { store, isKept, checkpoints, files: new SessionFiles({ store, newId, now }) };
}

const isMending: UserError = {
  code: "store_damaged",
  message: "Parley's database is damaged. What can be read of it is being copied into a new one.",
  hint: "You can go on working: your earlier conversations appear when that is done.",
};
