import { netFetch } from "../desktop/net/net-fetch.ts";
import { createMcpServers, type McpServersOptions } from "../desktop/servers/mcp-servers.ts";
import { createServerModel } from "../desktop/servers/server-model.ts";
import type { Windows } from "../desktop/shell/windows.ts";
import { boundedFetch } from "../mcp/connection/http/bounded-fetch.ts";
import type { Base } from "./base.ts";
import type { Disposal } from "./disposal.ts";
import type { composeFence } from "./fence.ts";
import type { composeModels } from "./models.ts";
import type { composeTrust } from "./trust.ts";

export interface ComposeMcpOptions extends Pick<McpServersOptions, "folderOf" | "submit"> {
  base: Base;
  disposal: Disposal;
  windows: Windows;
  trust: ReturnType<typeof composeTrust>;
  models: ReturnType<typeof composeModels>;
  fences: ReturnType<typeof composeFence>;
}

/** The MCP servers. Their list is read anew with what the user trusts. */
export function composeMcp({ base, disposal, windows, trust, models, fences, ...rest }: ComposeMcpOptions) {
  const { settings, userData, workingFolder, record, log, redact, redactor, reportError } = base;
  const { newProvider } = models;
  const servers = createMcpServers({
    settings: settings.current,
    variables: trust.secrets.serverVariables,
    fenceKnown: fences.checked.catch(() => {}),
    hasFence: fences.isOn,
    fences: fences.fences,
    isTrusted: trust.trust.wasTrusted,
    userData,
    workingFolder: workingFolder(),
    record,
    secrets: trust.secrets.serverSecrets,
    fetch: boundedFetch(netFetch),
    model: createServerModel({ settings: settings.current, newProvider }),
    log: log.info,
    warn: log.warn,
    redact,
    know: (variables) => redactor.knowVariables(variables),
    onChange: () => windows.broadcast({ type: "mcp" }),
    ...rest,
  });
  const { manager } = servers;
  disposal.defer(() => manager.dispose());
  const load = () => manager.load().catch(reportError);
  trust.answered.on(() => void load());
  const startFenced = () => {
    if (fences.isOn()) manager.fenceFound();
  };
  fences.found.on(startFenced);
  settings.onChange((changed) => {
    if (changed.has("fence")) startFenced();
  });
  return {
    ...servers,
    /** @returns resolves when it is known which there are, and they start */
    start: load,
  };
}
