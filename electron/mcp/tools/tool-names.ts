import { createHash } from "node:crypto";
import { plainTool, serverPrefix } from "../../../shared/servers/server-tools.ts";

/** What every model API takes. */
const maxLength = 64;
const maxServer = 24;
const hashLength = 8;

/**
 * The names that tools have for the model: `server__tool`. A name that is too long, or that two tools would share, gets a
 * part of a hash in the place of its end: the same each time, whatever other tools there are beside those two.
 * @returns in the order of `tools`
 */
export function toolNames(tools: readonly { server: string; tool: string }[]): string[] {
  const plain = tools.map(({ server, tool }) => `${serverPrefix(server)}__${plainTool(tool)}`);
  const count = new Map<string, number>();
  for (const name of plain) count.set(name, (count.get(name) ?? 0) + 1);
  return tools.map(({ server, tool }, index) => {
    const name = plain[index] ?? "";
    return name.length <= maxLength && count.get(name) === 1 ? name : shortened(server, tool);
  });
}

function shortened(server: string, tool: string): string {
  const hash = createHash("sha256").update(`${server}\0${tool}`).digest("hex").slice(0, hashLength);
  const start = `${serverPrefix(server).slice(0, maxServer)}__`;
  return `${start}${plainTool(tool).slice(0, maxLength - start.length - hashLength - 1)}_${hash}`;
}
