import { expect, test } from "vitest";
import { largePath } from "../../../../electron/store/checkpoints/contents/large-files.ts";

test.each([
  ["01KB3Z0F5Y8Q", "/p/files/01KB3Z0F5Y8Q"],
  ["../settings.json", "/p/files/none"],
  ["..", "/p/files/none"],
  ["", "/p/files/none"],
  ["/etc/passwd", "/p/files/none"],
])("the copy called %j is %s", (name, path) => {
  expect(largePath("/p/files", name)).toBe(path);
});
