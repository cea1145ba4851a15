import { expect, test } from "vitest";
import { createCommandRegistry } from "../../../../electron/commands/registry.ts";
import { voiceCommand } from "../../../../electron/voice/session/voice-command.ts";
import { VoiceService } from "../../../../electron/voice/session/voice-service.ts";
import { SttError } from "../../../../electron/voice/stt/stt-client.ts";
import { defaultSettings } from "../../../../shared/settings.ts";
import { FakeClock } from "../../../fakes/clock.ts";
import { FakeVoiceTarget } from "../../../fakes/stt/voice-target.ts";

/** `/voice` with a speech server that cannot be reached. */
function answers() {
  const settings = () => defaultSettings;
  const voice = new VoiceService({
    connect: async () => {
      throw new SttError("refused", "There is no microphone.");
    },
    settings,
    clock: new FakeClock(),
  });
  const target = new FakeVoiceTarget();
  const command = voiceCommand({ voice, target: () => target, settings, resolvePath: (path) => path });
  const { answer } = createCommandRegistry([command]);
  return (line: string) => answer(line, { conversationId: "c1" });
}

test.each([
  ["/voice sing", "`/voice sing` is not known."],
  ["/voice stop now", "`/voice stop` takes no arguments."],
  ["/voice events 0", "takes a number from 1 to 200"],
  ["/voice events many", "takes a number from 1 to 200"],
  ["/voice mute maybe", "takes `on` or `off`"],
  ["/voice start radio", "There is no source `radio`."],
])("“%s” is answered with what is allowed, in one line", async (line, wrong) => {
  const { output, isError } = await answers()(line);
  expect(isError).toBe(true);
  expect(output).toContain(wrong);
  expect(output).not.toContain("\n");
});

test.each([
  ["/voice events", "There have been no speech events yet.", undefined],
  ["/voice stop", "Voice is off already.", undefined],
  ["/voice mute", "Voice is off.", true],
  ["/voice devices", "There is no microphone.", true],
  ["/voice test", "The test failed: There is no microphone.", true],
])("“%s” with voice off", async (line, output, isError) => {
  expect(await answers()(line)).toEqual({ output, ...(isError !== undefined && { isError }) });
});
