import { useEffect, useState } from "react";
import type { ApprovalItem, ToolItem } from "../../../../shared/conversation/transcript-items.ts";

/** A command that runs for longer shows what it says, in milliseconds. */
const longMs = 2000;

/** Whether this is a command that has been running for a while. @param approvals what the user was asked about it */
export function useLongCommand(item: ToolItem | undefined, approvals: readonly ApprovalItem[]): boolean {
  const [shownAt] = useState(Date.now);
  const [isLong, setLong] = useState(false);
  const isRunning = item?.name === "shell" && item.status === "running";
  // It began to run when the user had answered, not when it was asked for.
  const from = Math.max(item?.startedAt ?? 0, approvals.length > 0 ? shownAt : 0);
  useEffect(() => {
    setLong(false);
    if (!isRunning) return;
    const timer = setTimeout(() => setLong(true), Math.max(0, from + longMs - Date.now()));
    return () => clearTimeout(timer);
  }, [isRunning, from]);
  return isRunning && isLong;
}
