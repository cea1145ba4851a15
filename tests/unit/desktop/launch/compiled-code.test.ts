import { expect, test, vi } from "vitest";
import { keepCompiledCode } from "../../../../electron/desktop/launch/compiled-code.ts";

test("main's code is kept compiled in the user-data folder, and a runtime that cannot do it starts all the same", () => {
  const enableCompileCache = vi.fn();
  keepCompiledCode("/data", { enableCompileCache });
  expect(enableCompileCache).toHaveBeenCalledExactlyOnceWith("/data/Compiled Code");
  expect(() => keepCompiledCode("/data", {})).not.toThrow();
});
