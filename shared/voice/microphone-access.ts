/**
 * Where the system says which programs may use the microphone. Pure.
 * @param platform as `process.platform` names it
 * @returns an address of the system's own settings, null where there is no such page
 */
export function microphoneSettingsPage(platform: string): string | null {
  return pages.get(platform) ?? null;
}

const pages: ReadonlyMap<string, string> = new Map([
  ["darwin", "x-apple.systempreferences:com.apple.preference.security?Privacy_Microphone"],
  ["win32", "ms-settings:privacy-microphone"],
]);

/** The code of a microphone that the user, or the system, refuses. */
export const microphoneRefused = "NotAllowedError";
