import { z } from "zod";
import type { FenceHost, Tool, ToolContext } from "../../ports/ports.ts";
import { checkPermission, type PermissionGate } from "./check-permission.ts";

const input = z.object({ url: z.string() });

/** What a rule for a host, and the user, are asked about when a fenced command wants to connect. */
const connecting = ({ host, port }: FenceHost): Tool<z.infer<typeof input>> => ({
  name: "shell",
  description: "Connects to a host.",
  input,
  effect: "network",
  wish: { who: "A command", what: `to connect to ${host}` },
  holdsInConversation: true,
  describe: () =>
    `${host}:${port}\nAllowed, every command of this conversation reaches this host until you quit, and can send it what it reads.`,
  run: async () => ({ text: "" }),
});

/**
 * Whether a fenced command may connect to a host: by the rules, else by the user's word.
 * @param ended of the command: nobody is asked any more for one that has ended @throws the reason of whichever signal ends it
 */
export async function checkHost(
  place: FenceHost,
  ended: AbortSignal,
  context: ToolContext,
  gate: PermissionGate,
): Promise<boolean> {
  const { host, port } = place;
  const scheme = port === 80 ? "http" : "https";
  const url = `${scheme}://${host.includes(":") ? `[${host}]` : host}:${port}/`;
  const signal = AbortSignal.any([context.signal, ended]);
  signal.throwIfAborted();
  const word = await checkPermission(connecting(place), { url }, { ...context, signal }, gate);
  // The end of a run, or of a command, is no answer.
  signal.throwIfAborted();
  return "limits" in word;
}
