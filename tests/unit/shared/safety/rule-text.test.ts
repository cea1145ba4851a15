import { expect, it } from "vitest";
import { ruleText } from "../../../../shared/safety/permissions.ts";

// Bug: a command with backticks of its own was shown without them.
it("marks code as Markdown does, also where it has backticks of its own", () => {
  const command = (words: string) => ruleText({ verdict: "allow", command: words, exact: true });
  expect(command("git status")).toBe("allow exactly the command `git status`");
  expect(command("echo `id`")).toBe("allow exactly the command `` echo `id` ``");
  expect(command("echo ``id` x")).toBe("allow exactly the command ``` echo ``id` x ```");
});
