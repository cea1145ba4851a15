import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");

test("the package for macOS has what the system asks of whoever listens", () => {
  const settings = read("electron-builder.yml");
  for (const key of ["NSMicrophoneUsageDescription", "NSAudioCaptureUsageDescription"]) {
    expect(settings).toMatch(new RegExp(`^ +${key}: \\S`, "m"));
  }
  const [, entitlements = ""] = /^ +entitlements: (\S+)$/m.exec(settings) ?? [];
  expect(read(entitlements)).toMatch(/<key>com\.apple\.security\.device\.audio-input<\/key>\s*<true\/>/);
});
