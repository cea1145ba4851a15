import type { Standing } from "../../shared/safety/permissions.ts";
import type { Confinement } from "../agent/ports/ports.ts";
import type { CallFacts } from "./call-facts.ts";

/** What a level says of a call by itself; `ask` leaves it to the rules, then to the user. */
export function byLevel(
  { level, hasEdits }: Standing,
  facts: CallFacts,
  isFenced: boolean,
): "allow" | "ask" | "deny" {
  const { tool, isServerTool, shell } = facts;
  // What a server says of its tools is not known to be true: what they do nobody here can see.
  if (isServerTool || tool.effect === "network") return "ask";
  if (tool.effect === "read" || tool.effect === "app") return "allow";
  if (tool.effect === "write") {
    if (level === "look") return "deny";
    return hasEdits && changesOnlyInside(facts) ? "allow" : "ask";
  }
  if (!shell || !isFenced) return level === "look" ? "deny" : "ask";
  return level === "ask" && !shell.looksOnly ? "ask" : "allow";
}

/** How a command runs that its level lets run unasked, or that the user allowed. */
export function confinementIn(
  { level }: Standing,
  { shell }: CallFacts,
  isFenced: boolean,
  isAsked: boolean,
): Confinement {
  if (!isFenced) return "outside";
  if (level === "look") return "look";
  return level === "ask" && !isAsked && shell?.looksOnly ? "look" : "change";
}

const changesOnlyInside = ({ paths }: CallFacts) => paths.length > 0 && paths.every((path) => path?.isInside);
