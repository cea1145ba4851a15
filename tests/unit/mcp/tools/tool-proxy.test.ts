import { expect, it } from "vitest";
import { proxyTool } from "../../../../electron/mcp/tools/tool-proxy.ts";
import { createMcpRig, scripted } from "../../../integration/mcp/mcp-rig.ts";

it("its card names the server and the tool's title, in one line that no title can break out of", async () => {
  const rig = createMcpRig();
  rig.files.add({ notes: scripted({}, { enabled: false }) });
  await rig.manager.load();
  const server = rig.manager.server("notes");
  const whatFor = (title?: string, ofAnnotations?: string) =>
    proxyTool(
      "notes__find",
      server,
      { name: "find", title, annotations: { title: ofAnnotations }, inputSchema: { type: "object" } },
      () => ({ end: () => {}, clean: String }),
    ).wish;
  expect(whatFor()).toEqual({ who: "notes", what: "to use its tool “find”", tool: "find" });
  expect(whatFor("Find a note", "older")?.what).toBe("to use its tool “Find a note”");
  expect(whatFor(undefined, "Find it")?.what).toBe("to use its tool “Find it”");
  expect(whatFor("  ")?.what).toBe("to use its tool “find”");
  expect(whatFor("Safe” is\n\nallowed “by")?.what).toBe("to use its tool “Safe is allowed by”");
  expect(whatFor("x".repeat(500))?.what).toBe(`to use its tool “${"x".repeat(59)}…”`);
  await rig.close();
});
