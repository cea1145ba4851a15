import { join } from "node:path";
import type { UserError } from "../../shared/conversation/events.ts";
import { defaultSettings } from "../../shared/settings.ts";
import { ulids } from "../../shared/ulids.ts";
import { startWords } from "../desktop/launch/launch-request.ts";
import { openLog } from "../desktop/log/log.ts";
import { logDeaths } from "../desktop/log/log-deaths.ts";
import { Problems } from "../desktop/log/problems.ts";
import { Redactor } from "../desktop/log/redactor.ts";
import type { WindowComplaints } from "../desktop/log/window-complaints.ts";
import { commandLineSettings, commandLineStartUp } from "../settings/command-line.ts";
import { openRemembered } from "../settings/remembered.ts";
import { openSettings } from "../settings/settings.ts";
import { WorkingFolders } from "../tools/environment/working-folders.ts";
import { GroupRecord } from "../tools/process/group-record.ts";
import type { Disposal } from "./disposal.ts";

export interface ComposeBaseOptions {
  userData: string;
  disposal: Disposal;
  /** There is one more problem to show, or one less. */
  onProblem(): void;
  /** Of the windows; absent where there are none. */
  complaints?: WindowComplaints;
}

export type Base = Awaited<ReturnType<typeof composeBase>>;

/** What everything else stands on: settings, log, what went wrong so far, and the folder of new conversations. */
export async function composeBase({ userData, disposal, onProblem, complaints }: ComposeBaseOptions) {
  const newId = ulids();
  const problems = new Problems();
  const settings = openSettings(userData, problems);
  disposal.defer(() => settings.close());
  const atStart = settings.current();
  const redactor = new Redactor();
  redactor.knowVariables(process.env);
  const redact = (text: string) => redactor.text(text);
  const log = openLog({ folder: userData, settings: settings.current, redact });
  logDeaths(log);
  complaints?.tellTo(log);
  const words = startWords(process.argv);
  const commandLine = commandLineSettings(words);
  const wanted = commandLineStartUp(words);
  for (const problem of [...commandLine.problems, ...wanted.problems]) problems.report(problem);
  problems.connect({ warn: log.warn, onChange: onProblem });
  const record = new GroupRecord({ folder: join(userData, "processes"), newId, log: log.warn });
  void record.reap();
  const folders = await openWorkingFolders(atStart.workingFolder, record, problems.report);
  settings.onChange((changed) => {
    if (!changed.has("workingFolder")) return;
    const { workingFolder } = settings.current();
    const hint = `New conversations stay in ${folders.first.workingDirectory}. Choose another folder in the settings.`;
    folders.startIn(workingFolder).then(
      () => onProblem(),
      (error: unknown) => problems.report({ code: "working_folder", message: String(error), hint }),
    );
  });
  const reportError = (error: unknown) => log.error("something of ours failed", error);
  const bySettings = { kind: atStart.startWith === "last" ? "continue" : "new" } as const;
  return {
    userData,
    newId,
    problems,
    settings,
    /** As they were when Parley started. */
    atStart,
    remembered: openRemembered(userData, reportError),
    /** What counts for runs: the command line's word stands for a setting while Parley runs. */
    runSettings: () => ({ ...settings.current(), ...commandLine.settings }),
    /** What is shown first. */
    startUp: wanted.startUp ?? bySettings,
    redactor,
    redact,
    log,
    reportError,
    record,
    folders,
    /** Of new conversations. */
    workingFolder: () => folders.first.workingDirectory,
  };
}

/** The folder of the settings, or the default one where that cannot be had. */
async function openWorkingFolders(folder: string, record: GroupRecord, report: (problem: UserError) => void) {
  const own = defaultSettings.workingFolder;
  try {
    return await WorkingFolders.open(folder, own, record);
  } catch (error) {
    const hint = `${own} is used. Correct \`workingFolder\` in settings.json.`;
    report({ code: "working_folder", message: String(error), hint });
    return await WorkingFolders.open(own, own, record);
  }
}
