import { createContext, use } from "react";
import type { WindowState } from "../../state/window-state.ts";

const WindowContext = createContext<WindowState | null>(null);
export const WindowProvider = WindowContext.Provider;

/** The window's state. @throws outside of a `WindowProvider`, which is a programmer's error */
export function useWindowState(): WindowState {
  const state = use(WindowContext);
  if (!state) throw new Error("useWindowState needs a WindowProvider above it");
  return state;
}
