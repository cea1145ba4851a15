import { expect, test } from "vitest";
import { readStartOptions } from "../../../../electron/voice/stt/start-options.ts";

const read = (line: string) =>
  readStartOptions(line.split(" ").filter(Boolean), "microphone", (path) => `/home/me/${path}`);

test.each([
  ["", { source: "microphone" }],
  ["loopback", { source: "loopback" }],
  ["both", { source: "both" }],
  ["file a.wav", { source: "file", path: "/home/me/a.wav" }],
  ["file a.wav fast", { source: "file", path: "/home/me/a.wav", pace: "fast" }],
  ["--mic-device-name USB", { source: "microphone", deviceName: "USB" }],
  ["microphone --mic-device-id=x=1", { source: "microphone", deviceId: "x=1" }],
  ["--endpointing-ms 300 --utterance-end-ms 1500", { endpointingMs: 300, utteranceEndMs: 1500 }],
  ["both --language de-DE --server other", { source: "both", language: "de-DE", server: "other" }],
])("“%s”", (line, start) => {
  expect(read(line)).toEqual({ start: { source: "microphone", ...start } });
});

test.each([
  ["radio", "There is no source `radio`. The sources are microphone, loopback, file, both."],
  ["microphone loopback", "`loopback` is not known after `microphone`."],
  ["file", "The file is missing: `/voice start file PATH`."],
  ["file a.wav quick", "`quick` is not known after the file. Only `fast` may follow."],
  ["--endpointing-ms 50", "`--endpointing-ms 50` is not allowed: whole milliseconds from 100 to 10000."],
  ["--endpointing-ms soon", "`--endpointing-ms soon` is not allowed: whole milliseconds from 100 to 10000."],
  ["--utterance-end-ms", "`--utterance-end-ms` needs a value: whole milliseconds from 100 to 20000."],
  ["--mic-device-name --language en", "`--mic-device-name` needs a value: part of a device's name."],
  ["--language !", "`--language !` is not allowed: a language's code, such as en or de, or auto."],
])("“%s” says in one line what is wrong and what is allowed", (line, wrong) => {
  expect(read(line)).toEqual({ wrong });
});

test("an unknown option is answered with those there are", () => {
  expect(read("--volume 3")).toEqual({
    wrong: expect.stringMatching(/no option `--volume`.*--mic-device-name/),
  });
});
