import { useCallback } from "react";
import { useStore } from "../../state/store.ts";
import { useWindowState } from "../window/window-context.ts";

const none: readonly string[] = [];

interface ModelNames {
  /** The words that this command takes, as far as they are known. */
  wordsOf: (command: string) => readonly string[];
  /** This command is begun: the provider is asked for what `/model` takes. */
  onCommand: (command: string) => void;
}

export function useModelNames(): ModelNames {
  const { models } = useWindowState();
  const list = useStore(models.list);
  const names = list ? [...list.recent, ...list.models].map(({ id }) => id) : none;
  const wordsOf = (command: string) => (command === "model" ? names : none);
  const onCommand = useCallback((command: string) => void (command === "model" && models.open()), [models]);
  return { wordsOf, onCommand };
}
