import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { FenceInfo } from "../../shared/safety/permissions.ts";
import { decidesWhatRuns } from "../../shared/safety/protected-files.ts";
import { isSecretPath } from "../../shared/safety/secret-files.ts";
import type { Settings } from "../../shared/settings.ts";
import type { Fence } from "../agent/ports/ports.ts";
import { fenceInfo } from "../desktop/ipc/permission-routes.ts";
import { proxyAddress } from "../desktop/net/system-fetch.ts";
import { startFenceChild } from "../desktop/servers/fence-child.ts";
import { SandboxFences } from "../fence/fences.ts";
import { isAtOrAbove, pathFolders } from "../fence/view/readable.ts";
import { readProjectRules } from "../permissions/project-rules.ts";
import { deniesHost } from "../permissions/rules.ts";
import { cacheFolder } from "../stt-server/models/cache-folder.ts";
import { findRipgrep } from "../tools/environment/ripgrep.ts";
import { runToEnd } from "../tools/process/run-to-end.ts";
import type { Disposal } from "./disposal.ts";
import { Signal } from "./signal.ts";

export interface ComposeFenceOptions {
  settings(): Settings;
  userData: string;
  /** Where Parley's program and runtime are: what no command may write to. */
  program: readonly string[];
  built(path: string): string;
  log(line: string): void;
  /** The fence was found, or found missing. */
  onChange(): void;
  disposal: Disposal;
  /** How long looking for the fence waits, in milliseconds: it starts programs, and holds up whoever waits for main then. */
  waitMs: number;
}

/** The fences around commands, and whether there are any. */
export function composeFence(options: ComposeFenceOptions) {
  const { settings, userData, program, built, log, onChange, disposal, waitMs } = options;
  const cache = cacheFolder(process.env, process.platform);
  const own = [...program, userData, cache];
  const fences = new SandboxFences({
    place: {
      platform: process.platform,
      uid: process.getuid?.() ?? null,
      home: homedir(),
      env: process.env,
      own,
      cachesFolder: `${cache}-tools`,
      temporaryFolder: tmpdir(),
      ripgrepPath: findRipgrep() ?? "rg",
      isSecret: isSecretPath,
      isProtected: decidesWhatRuns,
    },
    settings: () => {
      const now = settings();
      return {
        readable: now["fence.readable"],
        maxProcesses: now["fence.maxProcesses"],
        maxMemoryMb: now["fence.maxMemoryMb"],
        minFreeDiskMb: now["fence.minFreeDiskMb"],
        remade: now.checkpointIgnore.filter((name) => name !== ".git"),
        privateHosts: now.webFetchPrivate,
      };
    },
    deniesHost: (host, folder) =>
      deniesHost([...settings().permissionRules, ...readProjectRules(folder).rules], host, folder),
    startChild: startFenceChild(built("main/fence-utility.js"), (line) => log(`fence: ${line}`)),
    run: runToEnd,
    proxy: proxyAddress,
    asideFolder: join(userData, "put-aside"),
  });
  let isOver = false;
  const found = new Signal();
  const look = async () => {
    if (isOver) return;
    const wasThere = fences.state().isThere;
    const state = await fences.check();
    if (!state.isThere) log(`fence: ${state.why}`);
    onChange();
    if (state.isThere && !wasThere) found.tell();
  };
  /** Looks whether the fence is there. */
  const check = () => {
    latest = look();
    return latest;
  };
  disposal.defer(() => {
    isOver = true;
    return fences.dispose();
  });
  const checked = wait(waitMs).then(look);
  let latest = checked;
  /** Somebody needs it: resolves when it is known. A missing one is looked for again once it may be there. */
  const need = () => (settings().fence === "on" && fences.hasChanged() ? check() : latest);
  return {
    check,
    need,
    /** The same, with what was found. */
    look: async () => {
      await check();
      return fences.state();
    },
    /** Resolves when it was looked for first. */
    checked,
    /** It is there, and was not before. */
    found,
    /** For what is no conversation; counts only where `isOn` says so. */
    fences,
    isOn: () => settings().fence === "on" && fences.state().isThere,
    state: () => fences.state(),
    /** As windows show it. */
    info: (): FenceInfo => fenceInfo(settings().fence, fences.state()),
    /** Whether a path belongs to Parley or to a folder of `PATH`: nobody writes there for a model, not even in a working folder. */
    isNeverWritten: (path: string): boolean =>
      [...own, ...pathFolders({ env: process.env })].some((folder) => isAtOrAbove(folder, path)),
    /** null: there is none, or it is switched off. */
    of: (conversationId: string, folder: string): Fence | null =>
      settings().fence === "on" && fences.state().isThere ? fences.of(conversationId, folder) : null,
  };
}
