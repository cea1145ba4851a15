import { useEffect, useRef, useState } from "react";
import { CodeColours } from "./code-colours.ts";

const colours = new CodeColours(
  () => new Worker(new URL("./code-worker.ts", import.meta.url), { type: "module" }),
);

/** While code is being written, each colouring is followed by a pause of this many times what it took. */
const pauses = 10;

/**
 * The marks of each line of code that may still grow: those of what was coloured last until the rest follows.
 * @returns null: plain
 */
export function useCodeMarks(code: string, language: string): readonly string[] | null {
  const known = colours.known(code, language);
  const [made, setMade] = useState<{ code: string; marks: readonly string[] | null } | null>(null);
  const [isPausing, setPausing] = useState(false);
  const latest = useRef(code);
  useEffect(() => {
    latest.current = code;
  }, [code]);
  const isDue = known === undefined && !isPausing && made?.code !== code;
  useEffect(() => {
    if (!isDue) return;
    setPausing(true);
    const asked = latest.current;
    const startMs = performance.now();
    void colours
      .marks(asked, language)
      // No thread could be started.
      .catch(() => null)
      .then((marks) => {
        if (latest.current === asked) colours.keep(asked, language, marks);
        setMade({ code: asked, marks });
        setTimeout(() => setPausing(false), (performance.now() - startMs) * pauses);
      });
  }, [isDue, language]);
  if (known !== undefined) return known;
  return made && code.startsWith(made.code) ? made.marks : null;
}
