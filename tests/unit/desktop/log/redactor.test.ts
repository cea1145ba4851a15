import { expect, test } from "vitest";
import { Redactor } from "../../../../electron/desktop/log/redactor.ts";

// Bug: of a secret that begins with another one, the rest stayed.
test("a secret that begins with another one goes whole, whichever is known first", () => {
  const redactor = new Redactor();
  redactor.know("correct-horse");
  redactor.know("correct-horse battery staple");
  redactor.know("correct-horse-2");
  const text = redactor.text("correct-horse battery staple, correct-horse-2, correct-horse");
  expect(text).toBe("[secret removed], [secret removed], [secret removed]");
});
