import { useEffect, useState } from "react";
import type { MathPlugins } from "./math-plugins.ts";

let loaded: MathPlugins | null = null;

/**
 * What draws formulas, loaded when the first one is met.
 * @returns null: not needed, or not there yet
 */
export function useMath(isNeeded: boolean): MathPlugins | null {
  const [plugins, setPlugins] = useState(loaded);
  useEffect(() => {
    if (!isNeeded || plugins) return;
    let isGone = false;
    void import("./math-plugins.ts").then(({ mathPlugins }) => {
      loaded = mathPlugins;
      if (!isGone) setPlugins(mathPlugins);
    });
    return () => {
      isGone = true;
    };
  }, [isNeeded, plugins]);
  return isNeeded ? plugins : null;
}
