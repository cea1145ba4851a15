import type { PermissionMode } from "../../shared/permissions.ts";
import { staysInside } from "./auto-commands.ts";
import type { CallFacts } from "./call-facts.ts";

/** What a mode says of a call by itself; `ask` leaves it to the rules, then to the user. */
export function byMode(mode: PermissionMode, facts: CallFacts): "allow" | "ask" | "deny" {
  const { tool, isServerTool } = facts;
  // What a server says of its tools is not known to be true: it can make them asked for less seldom, never more.
  if (isServerTool) return mode === "plan" && tool.hints?.readOnly !== true ? "deny" : "ask";
  if (tool.effect === "read" || tool.effect === "app") return "allow";
  if (mode === "plan") return tool.effect === "network" ? "ask" : "deny";
  if (mode === "ask") return "ask";
  if (tool.effect === "write") return changesOnlyInside(facts) ? "allow" : "ask";
  const { shell, folder } = facts;
  if (mode !== "auto" || !shell?.plain) return "ask";
  return staysInside(shell.plain, { folder, from: shell.from }) ? "allow" : "ask";
}

const changesOnlyInside = ({ paths }: CallFacts) => paths.length > 0 && paths.every((path) => path?.isInside);
