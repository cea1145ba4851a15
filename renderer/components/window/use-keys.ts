import { useEffect, useEffectEvent } from "react";

interface Keys {
  /** Ctrl/Cmd+N */
  onNew: () => void;
  /** Ctrl/Cmd+K */
  onSearch: () => void;
  /** Ctrl/Cmd+Shift+M */
  onVoice: () => void;
  /** Ctrl/Cmd+Shift+D */
  onDictate: () => void;
  /** Ctrl/Cmd+Shift+L */
  onVoicePanel: () => void;
  /** Ctrl/Cmd+Shift+Y allows what has waited longest, Ctrl/Cmd+Shift+X denies it. */
  onApproval: (allowed: boolean) => void;
  /** Ctrl/Cmd+Shift+A: the keyboard goes to what waits. */
  onApprovals: () => void;
  /** Ctrl/Cmd+Shift+P: it goes to the level. */
  onLevel: () => void;
  /** Ctrl/Cmd+Shift+S: the list of MCP servers. */
  onServers: () => void;
  /** Esc, unless something nearer (the completion, an input method) used it. */
  onEscape: () => void;
}

/** The keys that work wherever the focus is. */
export function useKeys(keys: Keys): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing) return;
    // A dialog has the keys to itself, also where what had the focus in it is gone: Esc closes it and stops no run.
    if (document.querySelector("dialog[open]")) return;
    const isCommand = event.ctrlKey || event.metaKey;
    const key = event.key.toLowerCase();
    const isAnswer = isCommand && event.shiftKey && (key === "y" || key === "x");
    // Who holds it down has answered one, not the next as well.
    if (isAnswer && event.repeat) {
      event.preventDefault();
      return;
    }
    if (isCommand && !event.shiftKey && !event.altKey && key === "n") keys.onNew();
    else if (isCommand && !event.shiftKey && !event.altKey && key === "k") keys.onSearch();
    else if (isCommand && event.shiftKey && key === "m") keys.onVoice();
    else if (isCommand && event.shiftKey && key === "d") keys.onDictate();
    else if (isCommand && event.shiftKey && key === "l") keys.onVoicePanel();
    else if (isAnswer) keys.onApproval(key === "y");
    else if (isCommand && event.shiftKey && key === "a") keys.onApprovals();
    else if (isCommand && event.shiftKey && key === "p") keys.onLevel();
    else if (isCommand && event.shiftKey && key === "s") keys.onServers();
    else if (event.key === "Escape") keys.onEscape();
    else return;
    event.preventDefault();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    window.addEventListener("keydown", listener);
    return () => window.removeEventListener("keydown", listener);
  }, []);
}
