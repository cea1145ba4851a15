import type { Command, CommandAnswer } from "../commands/registry.ts";
import type { FolderTrust } from "./folder-trust.ts";

export interface TrustCommandOptions {
  trust: FolderTrust;
  workingFolder(conversationId: string): string;
}

const usage = "/trust [list] · yes · no";

/** `/trust`: what the working folder brings, and whether it counts. */
export function trustCommand({ trust, workingFolder }: TrustCommandOptions): Command {
  return {
    name: "trust",
    usage,
    description: "What this folder brings (instructions, keys, servers, rules), and whether you trust it",
    run: async ([action = "list", ...more], { conversationId }) => {
      const folder = workingFolder(conversationId);
      if (more.length > 0) return wrong();
      if (action === "list") return await list(trust, folder);
      if (action !== "yes" && action !== "no") return wrong();
      return await answerTrust(trust, folder, action === "yes");
    },
  };
}

/** Takes or leaves all that the folder brings now. */
export async function answerTrust(
  trust: FolderTrust,
  folder: string,
  isTrusted: boolean,
): Promise<CommandAnswer> {
  const files = await trust.answerAll(folder, isTrusted);
  if (files.length === 0) return { output: `\`${folder}\` brings nothing that needs your trust.` };
  const readable = files.filter(({ refusal }) => refusal === null);
  const names = readable.map(({ path }) => named(path)).join(", ");
  const counts = isTrusted ? "apply from now on, as they are now" : "do not count";
  return { output: readable.length === 0 ? "Nothing of it can be read." : `These ${counts}: ${names}.` };
}

async function list(trust: FolderTrust, folder: string): Promise<CommandAnswer> {
  const files = await trust.list(folder);
  if (files.length === 0) return { output: `\`${folder}\` brings nothing that needs your trust.` };
  const lines = files.map(({ path, what, refusal, answer }) => {
    if (refusal !== null) return `- ${named(path)} is left out: it ${refusal}.`;
    return `- ${named(path)} (${what}): ${answerText[answer]}.`;
  });
  const how = "`/trust yes` trusts all of it as it is now, `/trust no` trusts none of it.";
  return { output: [...lines, "", how].join("\n") };
}

const answerText = {
  none: "is not trusted yet and has no effect",
  changed: "has changed since you trusted it and has no effect",
  trusted: "counts",
  declined: "does not count",
} as const;

/** A name is a folder's own word, too: none of its signs may end the marks around it. */
const named = (path: string) => `\`${path.replaceAll(/[`\n\r]/g, "?")}\``;

const wrong = (): CommandAnswer => ({ output: `That is not known. Usage: \`${usage}\``, isError: true });
