import dart from "highlight.js/lib/languages/dart";
import dockerfile from "highlight.js/lib/languages/dockerfile";
import elixir from "highlight.js/lib/languages/elixir";
import haskell from "highlight.js/lib/languages/haskell";
import latex from "highlight.js/lib/languages/latex";
import nix from "highlight.js/lib/languages/nix";
import powershell from "highlight.js/lib/languages/powershell";
import scala from "highlight.js/lib/languages/scala";
import { common, createLowlight } from "lowlight";
import type { CodeAnswer, CodeQuestion } from "./code-colours.ts";
import { lineMarks } from "./code-marks.ts";
import { command } from "./command-language.ts";

/** A thread of its own: colouring long code takes longer than a frame. */
const lowlight = createLowlight({
  ...common,
  command,
  dart,
  dockerfile,
  elixir,
  haskell,
  latex,
  nix,
  powershell,
  scala,
});

addEventListener("message", ({ data: { id, code, language } }: MessageEvent<CodeQuestion>) => {
  const marks = lowlight.registered(language) ? lineMarks(lowlight.highlight(language, code)) : null;
  postMessage({ id, marks } satisfies CodeAnswer);
});
