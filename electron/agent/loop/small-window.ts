import type { Settings } from "../../../shared/settings.ts";
import type { Provider, Tool } from "../ports/ports.ts";

/** Below so many tokens all instructions and tools would leave no room for the conversation. */
export const smallWindowTokens = 8000;

const essential: ReadonlySet<string> = new Set([
  "read_file",
  "write_file",
  "edit_file",
  "list_directory",
  "grep",
  "shell",
  "web_fetch",
  "ask_user",
]);

/** Offered to a model with little room. */
export const mostTools = essential.size;

export const fewTools = (tools: readonly Tool[]): Tool[] =>
  tools.length <= mostTools ? [...tools] : tools.filter(({ name }) => essential.has(name));

export function hasSmallWindow(settings: Settings, provider: Provider): boolean {
  const { contextWindow } = provider.modelFacts(provider.resolveModel(settings.model));
  return (settings.contextWindow ?? contextWindow) < smallWindowTokens;
}
