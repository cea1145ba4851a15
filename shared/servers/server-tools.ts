import { visibleText } from "../safety/visible-text.ts";

/** How the tools of MCP servers are named: for the model as `server__tool`, in rules as a server and its tool. */

/** What a rule says of tools. */
interface NamedTool {
  tool?: string | undefined;
  server?: string | undefined;
}

/** Of a server, as its tools' names begin: without `__`, so that no server's name begins another's. */
export function serverPrefix(server: string): string {
  const plain = server.replaceAll(/[^A-Za-z0-9-]+/g, "_").replaceAll(/^_+|_+$/g, "");
  return plain === "" ? "server" : plain;
}

/** A tool's own name with the letters that every model API takes. */
export const plainTool = (tool: string): string => tool.replaceAll(/[^\w-]/g, "_") || "tool";

/**
 * A rule as it was once written, for `github__delete_repo` or `github__*`, as one for a server and its tool. Where more
 * than one server could be meant it stays as it is: it narrows all of them, and allows none.
 */
export function withServer<R extends NamedTool>(rule: R): R {
  const { tool = "", server: named } = rule;
  const at = tool.indexOf("__");
  const server = tool.slice(0, Math.max(at, 0));
  const ownName = tool.slice(at + 2);
  const isClear = named === undefined && server !== "" && !server.includes("*") && ownName !== "";
  return isClear ? { ...rule, server, tool: ownName } : rule;
}

/** “the tool `delete_repo` of the MCP server `github`”; the names are the server's own words. */
export function serverToolText({ server = "*", tool = "*" }: NamedTool): string {
  const which = tool === "*" ? "all tools" : `the ${tool.includes("*") ? "tools" : "tool"} ${quoted(tool)}`;
  return `${which} of ${server === "*" ? "every MCP server" : `the MCP server ${quoted(server)}`}`;
}

const quoted = (name: string) =>
  `\`${visibleText(name).replaceAll(/[`\s]/g, (sign) => (sign === "`" ? "'" : " "))}\``;
