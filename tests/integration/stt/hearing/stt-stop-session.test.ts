import { beforeAll, expect, it } from "vitest";
import type { OverFrame } from "../../../../electron/stt-server/audio/audio-source.ts";
import type { RecogniserModel } from "../../../../electron/stt-server/recognisers/recogniser.ts";
import { Session } from "../../../../electron/stt-server/session/session.ts";
import { openFlite } from "../../../../electron/voice/tts/flite.ts";
import { frameSamples, startSessionArguments, sttInfo } from "../../../../shared/voice/stt.ts";
import { embeddedModel, joinPcm, movableClock, ScriptedSource, silence } from "../stt-in-process.ts";

let model: RecogniserModel;
beforeAll(async () => {
  model = await embeddedModel();
});

/** A session that hears nothing but what is said over a reply, until it is stopped. */
async function listening(request: object) {
  let tell: (frame: OverFrame) => void = () => {};
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const source = new (class extends ScriptedSource {
    set onOver(listener: (frame: OverFrame) => void) {
      tell = listener;
    }
  })([silence(100), () => ended]);
  const session = new Session({
    id: "s",
    request: startSessionArguments.parse(request),
    source,
    model,
    clock: movableClock(),
    onLevel: () => undefined,
  });
  await session.start();
  const words = () =>
    session.log
      .read(0, 100)
      .flatMap((event) =>
        event.type === "info" && event.message === sttInfo.stopWord ? [event.payload] : [],
      );
  return {
    session,
    words,
    async say(text: string) {
      const { pcm } = await (await openFlite("rms")).synthesise(text, 1);
      const sound = joinPcm([silence(400), pcm, silence(800)]);
      for (let at = 0; at + frameSamples <= sound.length; at += frameSamples)
        tell({ of: "cleaned", pcm: sound.subarray(at, at + frameSamples), isFirst: at === 0, isNear: true });
    },
    async heard(count: number) {
      while (words().length < count) await session.log.waitFor(session.log.nextSeq - 1, 60_000);
      return words();
    },
    async stop() {
      end();
      await session.stop();
    },
  };
}

it("tells of a word to stop that was said over a reply, though it hears no utterance", async () => {
  const { say, heard, stop, session } = await listening({ commands: ["stop", "cancel"] });
  await say("Stop.");
  expect(await heard(1)).toMatchObject([{ phrase: "stop", heard_in: "cleaned" }]);
  expect(session.log.read(0, 100).filter(({ type }) => type === "speech_start")).toEqual([]);
  await stop();
});

it("hears no word to stop while it is muted", async () => {
  const { say, heard, stop, session } = await listening({ commands: ["stop", "cancel"], muted: true });
  await say("Stop.");
  session.update({ muted: false });
  await say("Cancel.");
  expect(await heard(1)).toMatchObject([{ phrase: "cancel" }]);
  await stop();
});

it("waits for the key where nothing is heard without it", async () => {
  const { say, heard, stop, session } = await listening({ commands: ["stop", "cancel"], push_to_talk: true });
  await say("Stop.");
  session.update({ talking: true });
  await say("Cancel.");
  expect(await heard(1)).toMatchObject([{ phrase: "cancel" }]);
  await stop();
});
