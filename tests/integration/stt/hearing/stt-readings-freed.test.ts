import { expect, it, vi } from "vitest";
import { voskLibrary } from "../../../../electron/stt-server/recognisers/vosk-library.ts";
import { clipPcm, embeddedModel, hearAll, silence } from "../stt-in-process.ts";

it("frees what hears further readings when the session ends: it is kept for nobody", {
  timeout: 60_000,
}, async () => {
  const library = voskLibrary();
  const { recognizerFree } = library;
  const alternatives = vi.spyOn(library, "setMaxAlternatives");
  let tell: (recognizer: unknown) => void = () => {};
  vi.spyOn(library, "recognizerFree").mockImplementation((recognizer) => {
    recognizerFree(recognizer);
    tell(recognizer);
  });
  const model = await embeddedModel();
  const pcm = await clipPcm("0880");
  for (let session = 1; session <= 2; session++) {
    const freed = new Promise((resolve) => {
      tell = resolve;
    });
    await hearAll(model, {}, () => [pcm, silence(1500)]);
    expect(alternatives).toHaveBeenCalledTimes(session);
    expect(await freed).toBe(alternatives.mock.lastCall?.[0]);
  }
  model.dispose();
});
