import type { Parley } from "../e2e/support/launch.ts";
import { cardsStand, expect, replies, send } from "../e2e/support/test.ts";
import type { ModelServer } from "../fakes/model-server/model-server.ts";
import { parseMarker } from "../fakes/model-server/scripts.ts";
import { seedOthers, seedProject } from "./seed.ts";
import { now, setTime } from "./stage.ts";

export const script = (name: string, args: object) => `[[script:${name} ${JSON.stringify(args)}]]`;
const shell = (command: string) => ({ name: "shell", input: { command } });
const read = (path: string) => ({ name: "read_file", input: { path } });

const found = `## What goes into 2.4

| Area | Commits | What people notice |
|---|--:|---|
| Voice | 9 | The last words are kept when you stop |
| Search | 6 | Finds words in every conversation |
| Rewind | 4 | Brings back what commands changed |

### How the list is made now

\`\`\`ts
// A reverted commit leaves no note.
const kept = commits.filter((c) => !reverted.has(c.id));
export const byArea = Object.groupBy(kept, (c) => areaOf(c.paths));
await writeFile("CHANGELOG.md", render(byArea, { since: "v2.3.1", width: 80 }));
\`\`\``;

const steps = [
  "Read the commits since v2.3.1",
  "Draft the notes",
  "Write them into the changelog",
  "Commit and tag",
  "Publish to the site",
];
const tasks = (done: number) => ({
  name: "update_tasks",
  input: {
    tasks: steps.map((text, place) => ({
      text,
      state: place < done ? "done" : place === done ? "in_progress" : "pending",
    })),
  },
});

/** What the model does in the release notes, by the prompt; a sub-agent's task is a prompt, too. */
const play: Record<string, string> = {
  "What goes into the notes for 2.4?": script("steps", {
    steps: [
      {
        calls: [
          read("CHANGELOG.md"),
          read("docs/voice.md"),
          read("scripts/notes.ts"),
          shell("git log --oneline"),
          shell("git status --short"),
        ],
      },
      { say: found },
    ],
    usage: { input: 1200, output: 1104, cacheRead: 52_000, cacheWrite: 800 },
  }),
  "Good. Put it into the changelog and check the links.": script("steps", {
    steps: [
      {
        calls: [
          tasks(2),
          read("CHANGELOG.md"),
          shell("git log --oneline"),
          {
            name: "edit_file",
            input: {
              path: "CHANGELOG.md",
              old_string: "- Various fixes",
              new_string:
                "- Voice keeps your last words when you stop\n- Search finds words in every conversation",
            },
          },
        ],
      },
      { calls: [tasks(3), { name: "spawn_agent", input: { task: "Check every link", model: "haiku" } }] },
      {
        say: "The notes are in. Next I commit them and set the tag.",
        calls: [shell('git commit -am "Release notes for 2.4.0" && git tag v2.4.0')],
      },
    ],
    usage: { input: 5200, output: 400, cacheRead: 69_500, cacheWrite: 1700 },
  }),
  "Check every link": script("tools", { calls: [read("docs/voice.md"), shell("sleep 600")] }),
};

/** The conversation of most pictures: notes for a release, up to the command that waits. */
export async function playNotes(parley: Parley, model: ModelServer): Promise<void> {
  const { page } = parley;
  model.answerUnmarked((body) => play[parseMarker(body).prompt] ?? "");
  model.answerTitles({ text: "Release notes for 2.4" });
  await send(page, "What goes into the notes for 2.4?");
  await expect(replies(page)).toHaveCount(1);
  await send(page, "Good. Put it into the changelog and check the links.");
  await cardsStand(page);
  await setTime(parley, now + 38_000);
  await expect(page.getByTestId("approval").locator("time")).toContainText("3");
}

/** A project with a history, and who works on it as the pictures have it. */
export const project = {
  seed: seedOthers,
  seedHome: seedProject,
  settings: {
    permissionRules: [
      { verdict: "allow", tool: "edit_file", path: "**" },
      { verdict: "allow", command: "git log *" },
      { verdict: "allow", command: "git status *" },
      { verdict: "allow", command: "sleep *" },
    ],
    effort: "medium",
    startWith: "new",
  },
};
