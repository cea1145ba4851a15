import { shell, systemPreferences } from "electron";
import { microphoneRefused, microphoneSettingsPage } from "../../../shared/voice/microphone-access.ts";

/**
 * Has macOS ask its user for the microphone, once; the other systems ask, or refuse, when it is opened.
 * @throws MicrophoneRefused
 */
export async function allowMicrophone(): Promise<void> {
  if (process.platform !== "darwin") return;
  if (await systemPreferences.askForMediaAccess("microphone")) return;
  throw new MicrophoneRefused(
    "Parley is not allowed to use the microphone. Allow it in System Settings › Privacy & Security, then start listening again.",
  );
}

/** Opens the page of the system's settings; no other address is ever opened so. @throws Error where there is none */
export async function openMicrophoneSettings(): Promise<void> {
  const page = microphoneSettingsPage(process.platform);
  if (page === null) {
    throw new Error("This system has no settings page for the microphone. Look in its sound settings.");
  }
  await shell.openExternal(page);
}

class MicrophoneRefused extends Error {
  override readonly name = "MicrophoneRefused";
  readonly kind = microphoneRefused;
}
