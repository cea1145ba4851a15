import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, sep } from "node:path";

/** Files of the sandbox library that are run, or read, inside of a fence. */
export interface LibraryFiles {
  /** What refuses sockets and namespaces; null: not for this processor. */
  seccomp: string | null;
  /** What tells Java programs of the proxy. */
  javaAgent: string | null;
}

/** From the package's own place; a packaged app keeps them beside its archive. */
export function libraryFiles(): LibraryFiles {
  const entry = createRequire(import.meta.url).resolve("@anthropic-ai/sandbox-runtime");
  const vendor = join(dirname(dirname(entry)), "vendor").replace(`app.asar${sep}`, `app.asar.unpacked${sep}`);
  const there = (path: string) => (existsSync(path) ? path : null);
  return {
    seccomp:
      process.platform === "linux" ? there(join(vendor, "seccomp", process.arch, "apply-seccomp")) : null,
    javaAgent: there(join(vendor, "java-proxy-agent", "srt-proxy-agent.jar")),
  };
}
