import { folded } from "../../shared/secret-files.ts";

/**
 * Files that decide what runs later: hooks and configuration of git, editors and shells, and Parley's own rules. A change
 * of one always asks.
 */
export function isProtected(path: string): boolean {
  return folded(path)
    .split(/[\\/]+/)
    .some((part) => names.has(part.replace(/:.*$/, "").replace(/[. ]+$/, "")));
}

const names: ReadonlySet<string> = new Set([
  ".git",
  ".gitmodules",
  ".gitconfig",
  ".hg",
  ".husky",
  ".parley",
  ".mcp.json",
  ".vscode",
  ".idea",
  ".envrc",
  ".bashrc",
  ".bash_profile",
  ".profile",
  ".zshrc",
  ".zshenv",
]);
