import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Locator, Page } from "playwright/test";
import type { LaunchOptions, Parley } from "../e2e/support/launch.ts";
import { clipSamples, fakeMicrophone, silence, writeWav } from "../e2e/support/machine/audio.ts";
import { seedMeeting } from "../e2e/support/seeded-meeting.ts";
import { inState, openList, row } from "../e2e/support/server-list.ts";
import { cardsStand, expect, replies, send, voiceState } from "../e2e/support/test.ts";
import { parseMarker } from "../fakes/model-server/scripts.ts";
import { fitted, menuItem, now, test } from "./stage.ts";

// The pictures of the guide: a session of somebody with a folder of notes, step by step as the pages tell it.

const folder = resolve(import.meta.dirname, "../../docs/guide/pictures");

const script = (name: string, args: object) => `[[script:${name} ${JSON.stringify(args)}]]`;
const steps = (...all: object[]) => script("steps", { steps: all });
const shell = (command: string) => ({ name: "shell", input: { command } });
const read = (path: string) => ({ name: "read_file", input: { path } });

const list = "# Packing list\n\n- Tent\n- Stove\n- Matches\n";
const plan = "# Trip\n\nFriday to Sunday. Rain on Saturday.\n";

const looked = `For two nights with rain on Saturday, three things are missing:

| Missing | Why |
|---|---|
| Rain jackets | Saturday |
| A dry bag | for the matches |
| Lamp | it is dark by five |`;

/** What the model does, by the prompt. */
const play: Record<string, string> = {
  "What is missing from my packing list?": steps(
    { calls: [read("packing.md"), read("trip.md")] },
    { say: looked },
  ),
  "Put them on the list, please.": steps(
    {
      say: "I add the three.",
      calls: [
        {
          name: "edit_file",
          input: {
            path: "packing.md",
            old_string: "- Matches\n",
            new_string: "- Matches\n- Rain jackets\n- Dry bag\n- Lamp\n",
          },
        },
      ],
    },
    { say: "The list has all six now." },
  ),
  "Sort it, and remove the old plan.": steps(
    { calls: [shell("sort -o packing.md packing.md && rm trip.md")] },
    { say: "Sorted. The old plan is gone." },
  ),
  "Is there a weather warning for Saturday?": steps({
    calls: [{ name: "web_fetch", input: { url: "https://weather.example.com/warnings" } }],
  }),
  "How far is it to the moon?": script("text", { text: "About 384,400 km on average." }),
};

const trip: LaunchOptions = { files: { "packing.md": list, "trip.md": plan } };

/** Takes the page, or a part of it, in the light look. */
async function picture(page: Page, name: string, part?: Locator): Promise<void> {
  mkdirSync(folder, { recursive: true });
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  await page.evaluate(async () => {
    await document.fonts.ready;
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  });
  const path = join(folder, `${name}.png`);
  await (part ?? page).screenshot({ path, animations: "disabled", caret: "hide" });
}

async function ask(page: Page, prompt: string): Promise<void> {
  const before = await replies(page).count();
  await send(page, prompt);
  await expect.poll(() => replies(page).count()).toBeGreaterThan(before);
}

async function firstTalk({ page }: Parley): Promise<void> {
  await send(page, "What is missing from my packing list?");
  await expect(replies(page).last()).toContainText("Lamp");
}

async function change(page: Page, prompt: string, end: string): Promise<void> {
  await send(page, prompt);
  await cardsStand(page);
  await page.keyboard.press("Control+Shift+Y");
  await expect(replies(page).last()).toContainText(end);
}

test.beforeEach(({ model }) => {
  model.answerUnmarked((body) => play[parseMarker(body).prompt] ?? script("text", { text: "All right." }));
  model.answerTitles({ text: "Packing for the trip" });
});

test("guide-set-up", async ({ open }) => {
  const { page } = await open({
    settings: { provider: "auto", firstRun: true },
    env: { ANTHROPIC_API_KEY: "" },
  });
  await expect(page.getByTestId("set-up")).toBeVisible();
  await picture(page, "set-up", page.getByTestId("set-up"));
});

test("guide-offline", async ({ open }) => {
  const { page } = await open({ ...trip, settings: { provider: "offline" } });
  await ask(page, "What is twelve times nine?");
  await picture(page, "offline");
});

test("guide-changes", async ({ open }) => {
  const parley = await open(trip);
  const { page } = parley;
  await firstTalk(parley);
  await picture(page, "first-reply");
  await send(page, "Put them on the list, please.");
  await cardsStand(page);
  await picture(page, "approval");
  await page.keyboard.press("Control+Shift+Y");
  await expect(replies(page).last()).toContainText("all six");
  await change(page, "Sort it, and remove the old plan.", "Sorted");
  await picture(page, "window");
  const message = page.getByTestId("message-user").filter({ hasText: "Put them on the list" });
  await message.hover();
  await picture(page, "prompt-actions");
  await message.locator("xpath=..").getByRole("button", { name: "Rewind to before this" }).click();
  await expect(page.getByTestId("rewind-preview")).toBeVisible();
  await picture(page, "rewind");
  await page.getByTestId("rewind-now").click();
  await expect(page.getByTestId("rewind-outcome")).toBeVisible();
  await page.keyboard.press("Escape");
  await picture(page, "rewound");
});

test("guide-levels", async ({ open }) => {
  const parley = await open(trip);
  const { page } = parley;
  await firstTalk(parley);
  await page.keyboard.press("Control+Shift+P");
  await expect(page.getByTestId("level-menu")).toBeVisible();
  await picture(page, "levels");
  await page.keyboard.press("Escape");
  await send(page, "Is there a weather warning for Saturday?");
  await cardsStand(page);
  await picture(page, "online");
});

test("guide-trust", async ({ open }) => {
  const { page } = await open({
    files: { ...trip.files, "AGENTS.md": "Answer in short sentences.\n" },
    seedHome: (home) => {
      mkdirSync(join(home, "Parley/.parley"));
      const rules = [{ verdict: "allow", command: "sort packing.md" }];
      writeFileSync(join(home, "Parley/.parley/permissions.json"), JSON.stringify({ rules }));
    },
  });
  const card = page.getByTestId("trust");
  await expect(card).toBeVisible();
  // A test's folder has a name that nobody's has.
  await card
    .locator("code")
    .first()
    .evaluate((path) => {
      path.textContent = "/home/you/Parley";
    });
  await picture(page, "trust", card);
});

test("guide-voice", async ({ open }) => {
  const parley = await open({
    ...trip,
    switches: fakeMicrophone(writeWav(silence(120_000))),
  });
  const { page } = parley;
  await firstTalk(parley);
  await page.getByTestId("mic").click();
  await expect(voiceState(page, "listening")).toBeVisible();
  await picture(page, "listening");
  await page.keyboard.press("Control+Shift+L");
  await expect(page.getByTestId("voice-panel")).toBeVisible();
  await picture(page, "voice-panel");
});

test("guide-meeting", async ({ open }) => {
  const { page } = await open({ seed: seedMeeting });
  await page.getByText("Standup, Tuesday").first().click();
  await page.getByTestId("meeting-open").click();
  await expect(page.getByTestId("meeting-line").last()).toBeVisible();
  await picture(page, "meeting");
});

test("guide-servers", async ({ open }) => {
  const parley = await open(trip);
  const { page } = parley;
  await firstTalk(parley);
  await openList(page);
  const memory = resolve(
    import.meta.dirname,
    "../../node_modules/@modelcontextprotocol/server-memory/dist/index.js",
  );
  const pasted = { mcpServers: { notes: { command: "node", args: [memory] } } };
  await page.getByTestId("servers-add").fill(JSON.stringify(pasted));
  await page.getByTestId("servers-add-button").click();
  await inState(page, "notes", "ready");
  // People have it from the registry.
  await row(page, "notes")
    .locator("code")
    .first()
    .evaluate((command) => {
      command.textContent = "npx -y @modelcontextprotocol/server-memory";
    });
  await picture(page, "servers", page.getByTestId("servers"));
});

test("guide-desktop", async ({ open, quickOf, soundEnv }) => {
  const speech = clipSamples("librivox_0870");
  const parley = await open({
    ...trip,
    env: soundEnv,
    switches: fakeMicrophone(writeWav(speech, speech, speech, speech)),
  });
  const { app, page } = parley;
  await firstTalk(parley);
  await page.keyboard.press("Control+k");
  await page.getByTestId("palette-input").fill("micro");
  await expect(page.getByTestId("palette-row").first()).toBeVisible();
  await picture(page, "palette", page.getByTestId("palette"));
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+/");
  await expect(page.getByTestId("keys-sheet")).toBeVisible();
  await picture(page, "keys", page.getByTestId("keys-sheet"));
  await page.keyboard.press("Escape");
  await menuItem(app, "Check this computer");
  await expect(page.locator('[data-testid="check"][data-state]')).toHaveCount(11);
  await picture(page, "check", page.getByTestId("doctor"));
  await page.keyboard.press("Escape");
  const quick = await quickOf(parley);
  await quick.clock.setFixedTime(now);
  await send(quick, "How far is it to the moon?");
  await expect(replies(quick)).toContainText("384,400");
  await fitted(quick);
  await picture(quick, "quick");
});
