import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright/test";
import { faultsOf, watchTranscript } from "../support/oracle.ts";
import { cardsStand, expect, replies, send, test } from "../support/test.ts";

const files = {
  "notes.txt": "one\ntwo\n",
  "plan.md": "# Plan\n\n- first\n",
  "list.csv": "a,b\n1,2\n",
  "tidy.sh": "rm list.csv\nprintf 'done\\n' > report.txt\nprintf 'three\\n' >> notes.txt\n",
};

/** Three files by tools and three by a script, one of them both ways. */
const calls = [
  { name: "edit_file", input: { path: "notes.txt", old_string: "two", new_string: "2" } },
  { name: "edit_file", input: { path: "plan.md", old_string: "- first", new_string: "- first, then rest" } },
  { name: "write_file", input: { path: "new.txt", content: "brand new\n" } },
];
const script = [{ name: "shell", input: { command: "sh tidy.sh" } }];

async function change(page: Page, prompt: string, wanted: readonly object[]): Promise<void> {
  const before = await replies(page).count();
  await send(page, `${prompt} [[script:tools ${JSON.stringify({ calls: wanted })}]]`);
  for (let left = wanted.length; left > 0; left--) {
    await cardsStand(page, left);
    await page.keyboard.press("Control+Shift+Y");
  }
  await expect(replies(page)).toHaveCount(before + 1);
}

async function openRewind(page: Page, prompt: string) {
  const message = page.getByTestId("message-user").filter({ hasText: prompt });
  await message.hover();
  await message.locator("xpath=..").getByRole("button", { name: "Rewind to before this" }).click();
  const dialog = page.getByTestId("rewind-dialog");
  await expect(dialog.getByTestId("rewind-preview")).toBeVisible();
  return dialog;
}

function folder(home: string) {
  const at = (name: string) => join(home, "Parley", name);
  return {
    write: (name: string, text: string) => writeFileSync(at(name), text),
    read: () =>
      Object.fromEntries(
        [...Object.keys(files), "new.txt", "report.txt"]
          .filter((name) => existsSync(at(name)))
          .map((name) => [name, readFileSync(at(name), "utf8")]),
      ),
  };
}

test("a turn that edits files and runs a script is rewound, byte for byte, and redone", async ({
  startWithModel,
}) => {
  const { page, home } = await startWithModel({ files });
  const work = folder(home);
  const samples = await watchTranscript(page);
  await send(page, "hello");
  await expect(replies(page)).toHaveText(["hello"]);
  await change(page, "edit them", calls);
  await change(page, "run it", script);
  const changed = work.read();
  expect(changed).toEqual({
    "notes.txt": "one\n2\nthree\n",
    "plan.md": "# Plan\n\n- first, then rest\n",
    "tidy.sh": files["tidy.sh"],
    "new.txt": "brand new\n",
    "report.txt": "done\n",
  });

  const dialog = await openRewind(page, "edit them");
  const row = (path: string) => dialog.getByTestId("rewind-file").filter({ hasText: path });
  for (const path of ["notes.txt", "plan.md", "list.csv"]) {
    await expect(row(path)).toHaveAttribute("data-action", "restore");
  }
  for (const path of ["new.txt", "report.txt"])
    await expect(row(path)).toHaveAttribute("data-action", "remove");
  await row("plan.md").locator("summary").click();
  await expect(row("plan.md").locator('[data-sign="-"]')).toContainText(["- first, then rest"]);
  await dialog.getByTestId("rewind-now").click();
  await expect(dialog.getByTestId("rewind-result")).toHaveCount(5);
  expect(work.read()).toEqual(files);
  await dialog.getByRole("button", { name: "Close" }).click();
  await expect(replies(page)).toHaveText(["hello"]);
  // The prompt is there to be said another way.
  await expect(page.getByTestId("composer")).toHaveValue(/^edit them/);

  await page.getByTestId("note").getByRole("button", { name: "Redo" }).click();
  await expect(replies(page)).toHaveCount(3);
  expect(work.read()).toEqual(changed);
  expect(faultsOf(await samples())).toEqual([]);
});

test("only files, or only the conversation, go back where the user says so", async ({ startWithModel }) => {
  const { page, home } = await startWithModel({ files });
  const work = folder(home);
  await change(page, "edit them", calls);
  const changed = work.read();
  const first = await openRewind(page, "edit them");
  await first.getByRole("radio", { name: "Conversation" }).check();
  await expect(first.getByTestId("rewind-file")).toHaveCount(0);
  await first.getByTestId("rewind-now").click();
  await first.getByRole("button", { name: "Redo" }).click();
  await expect(first).toBeHidden();
  await expect(replies(page)).toHaveCount(1);
  expect(work.read()).toEqual(changed);

  const second = await openRewind(page, "edit them");
  await second.getByRole("radio", { name: "Files" }).check();
  await second.getByTestId("rewind-now").click();
  await expect(second.getByTestId("rewind-outcome")).toBeVisible();
  expect(work.read()).toEqual(files);
  await second.getByRole("button", { name: "Close" }).click();
  await expect(replies(page)).toHaveCount(1);
});

test("a file that something else changed since is left alone unless the user says otherwise", async ({
  startWithModel,
}) => {
  const { page, home } = await startWithModel({ files });
  const work = folder(home);
  await change(page, "edit them", calls);
  work.write("notes.txt", "mine\n");
  const dialog = await openRewind(page, "edit them");
  await expect(dialog.locator('[data-conflict="true"]')).toContainText("notes.txt");
  await dialog.getByRole("radio", { name: "Files" }).check();
  await dialog.getByTestId("rewind-now").click();
  await expect(dialog.locator('[data-result="skipped"]')).toContainText("notes.txt");
  expect(work.read()).toEqual({ ...files, "notes.txt": "mine\n" });
  await dialog.getByRole("button", { name: "Close" }).click();

  const again = await openRewind(page, "edit them");
  await again.getByRole("radio", { name: "Files" }).check();
  await again.getByLabel("Overwrite").check();
  await again.getByTestId("rewind-now").click();
  await expect(again.locator('[data-result="restored"]')).toContainText("notes.txt");
  expect(work.read()).toEqual(files);
});

test("the dialog is worked with the keyboard: Esc closes it and leaves everything", async ({
  startWithModel,
}) => {
  const { page, home } = await startWithModel({ files });
  await change(page, "edit them", calls);
  const changed = folder(home).read();
  const dialog = await openRewind(page, "edit them");
  await expect(dialog.locator(":focus")).toHaveCount(1);
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  expect(folder(home).read()).toEqual(changed);
  await expect(replies(page)).toHaveCount(1);
});

test("a command that deletes many files is told in a line, and Undo brings them back", async ({
  startWithModel,
}) => {
  const { page, home } = await startWithModel({ files });
  const there = () => existsSync(join(home, "Parley", "many", "39"));
  const shell = (command: string) => [{ name: "shell", input: { command } }];
  await change(page, "make them", shell("mkdir many; for n in $(seq 40); do echo $n > many/$n; done"));
  await change(page, "delete them", shell("rm -r many"));
  expect(there()).toBe(false);
  const line = page.getByTestId("note").filter({ hasText: "Deleted 40 files." });
  await line.getByRole("button", { name: "Undo" }).click();
  await expect(line).toHaveText("Deleted 40 files. Undone.");
  expect(there()).toBe(true);
  const rewound = page.getByTestId("note").filter({ hasText: "Rewound: 41 restored." });
  await rewound.getByRole("button", { name: "Redo" }).click();
  await expect(page.getByTestId("note").filter({ hasText: "Rewind undone" })).toBeVisible();
  expect(there()).toBe(false);
});

test("one that deletes more than the limit ends the run, and Undo is there", async ({ startWithModel }) => {
  const { page, home } = await startWithModel({ files });
  const shell = (command: string) => [{ name: "shell", input: { command } }];
  await change(page, "make them", shell("mkdir many; for n in $(seq 120); do echo $n > many/$n; done"));
  await send(page, `delete them [[script:tools ${JSON.stringify({ calls: shell("rm -r many") })}]]`);
  await cardsStand(page);
  await page.keyboard.press("Control+Shift+Y");
  await expect(
    page.getByTestId("note").filter({ hasText: "more files than the settings allow" }),
  ).toBeVisible();
  await expect(replies(page)).toHaveCount(1);
  const line = page.getByTestId("note").filter({ hasText: "Deleted 120 files." });
  await line.getByRole("button", { name: "Undo" }).click();
  await expect(line).toHaveText("Deleted 120 files. Undone.");
  expect(readFileSync(join(home, "Parley", "many", "120"), "utf8")).toBe("120\n");
});
