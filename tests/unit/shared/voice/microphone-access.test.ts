import { expect, test } from "vitest";
import { microphoneSettingsPage } from "../../../../shared/voice/microphone-access.ts";

test.each([
  ["darwin", "x-apple.systempreferences:com.apple.preference.security?Privacy_Microphone"],
  ["win32", "ms-settings:privacy-microphone"],
  ["linux", null],
  ["toString", null],
])("on %s the settings page for the microphone is %s", (platform, page) => {
  expect(microphoneSettingsPage(platform)).toBe(page);
});
