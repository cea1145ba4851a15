import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { modelsVariable } from "../../shared/voice/speech.ts";
import { acceleratorOf, parseTalkKey } from "../../shared/voice/talk-key.ts";
import { allowMicrophone } from "../desktop/audio/microphone-access.ts";
import { hasTray, tryShortcut } from "../desktop/doctor/desktop-facts.ts";
import { Doctor } from "../desktop/doctor/doctor.ts";
import { hearingChecks } from "../desktop/doctor/hearing-checks.ts";
import { OwnHearing } from "../desktop/doctor/hearing-parts.ts";
import { modelChecks } from "../desktop/doctor/model-checks.ts";
import { systemChecks } from "../desktop/doctor/system-checks.ts";
import { voiceCheck } from "../desktop/doctor/voice-check.ts";
import { whyNot } from "../desktop/keys/quick-key.ts";
import { lookForShortcuts } from "../desktop/keys/shortcut-system.ts";
import { systemCipher } from "../settings/safe-storage.ts";
import { modelsFolder } from "../stt-server/models/cache-folder.ts";
import { ownEnvironment } from "../tools/process/child-environment.ts";
import type { Base } from "./base.ts";
import type { Disposal } from "./disposal.ts";
import type { composeFence } from "./fence.ts";
import type { composeModels } from "./models.ts";
import type { composeTrust } from "./trust.ts";

export interface ComposeDoctorOptions {
  base: Base;
  disposal: Disposal;
  trust: Pick<ReturnType<typeof composeTrust>, "secrets">;
  models: Pick<ReturnType<typeof composeModels>, "describe" | "newProvider" | "findServer">;
  fences: Pick<ReturnType<typeof composeFence>, "look">;
  preload: string;
  /** A built file, by its path below the output folder. */
  built(path: string): string;
  /** A file of `resources`. */
  resource(name: string): string;
}

/** "Check this computer": what Parley stands on, each tried, with processes of the checks' own. */
export function composeDoctor(options: ComposeDoctorOptions): Doctor {
  const { base, disposal, trust, models, fences, preload, built, resource } = options;
  const settings = base.settings.current;
  const { secrets } = trust;
  const env = ownEnvironment(process.env);
  const now = () => performance.now();
  const hearing = new OwnHearing({
    preload,
    entry: built("main/stt-utility.js"),
    env,
    onLog: (line) => base.log.info(`check: ${line}`),
  });
  const fixture = unpacked(resource("check/heard.wav"));
  disposal.defer(async () => {
    await hearing.close();
    await fixture.remove();
  });
  return new Doctor(
    [
      ...modelChecks({
        settings,
        describe: models.describe,
        newProvider: models.newProvider,
        places: secrets.places,
        folderKeys: secrets.modelKeys,
        findServer: async () => (await models.findServer())?.id ?? null,
        now,
      }),
      ...hearingChecks({
        settings,
        parts: () => hearing.parts(),
        allowMicrophone,
        fixture: fixture.path,
        platform: process.platform,
      }),
      voiceCheck({
        entry: built("main/speech-utility.js"),
        env: { ...env, [modelsVariable]: modelsFolder(process.env, process.platform) },
        settings,
      }),
      ...systemChecks({
        checkFence: fences.look,
        isFenceOn: () => settings().fence === "on",
        cipher: systemCipher,
        tryShortcut: async (signal) => {
          const key = settings().quickShortcut;
          const parsed = parseTalkKey(key);
          const accelerator = parsed && acceleratorOf(parsed);
          if (accelerator === null) return { key, problem: null };
          const system = await lookForShortcuts(process.env, process.versions.electron, signal);
          // Where an instance that runs has it, that is as good.
          return { key, problem: whyNot(key, !tryShortcut(accelerator), system) };
        },
        hasTray: (signal) => hasTray(resource("icon.png"), signal),
        userData: base.userData,
        workingFolder: base.folders.first,
      }),
    ],
    { now, redact: base.redact },
  );
}

/** A file of the package's archive, where other processes can read it; written when it is asked for first. */
function unpacked(source: string): { path(): Promise<string>; remove(): Promise<void> } {
  let folder: string | null = null;
  let written: Promise<string> | null = null;
  const write = async () => {
    folder = await mkdtemp(join(tmpdir(), "parley-check-"));
    const path = join(folder, "heard.wav");
    await writeFile(path, await readFile(source));
    return path;
  };
  return {
    path: () => {
      written ??= write();
      return written;
    },
    remove: async () => {
      if (folder !== null) await rm(folder, { recursive: true, force: true });
    },
  };
}
