import { createHash } from "node:crypto";
import { mkdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import type { Fences } from "../../agent/ports/ports.ts";
import type { ServerConfig } from "../../mcp/config/config-schema.ts";
import type { ServerFence } from "../../mcp/ports.ts";

/** A fence for the program of an MCP server, with a data folder that stays from one start to the next. */
export function serverFence(
  fences: Pick<Fences, "of" | "forget">,
  { name, folder: project }: Pick<ServerConfig, "name" | "folder">,
  { folder, userData }: { folder: string; userData: string },
): ServerFence {
  const id = `mcp ${JSON.stringify([project ?? null, name])}`;
  const dataFolder = join(userData, "mcp-data", createHash("sha256").update(id).digest("hex").slice(0, 16));
  mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
  return {
    fence: fences.of(id, realpathSync(folder)),
    dataFolder: realpathSync(dataFolder),
    forget: () => fences.forget(id),
  };
}
