import * as nodeModule from "node:module";
import { join } from "node:path";

/**
 * What main loads from here on is kept compiled for the next start, where the runtime can do that: from Node 22.1 on. It is
 * kept where commands of a conversation cannot write; where it cannot be kept, everything is compiled anew.
 * https://nodejs.org/api/module.html#moduleenablecompilecachecachedir
 */
export function keepCompiledCode(userData: string, runtime: object = nodeModule): void {
  const enable: unknown = Reflect.get(runtime, "enableCompileCache");
  if (typeof enable === "function") enable(join(userData, "Compiled Code"));
}
