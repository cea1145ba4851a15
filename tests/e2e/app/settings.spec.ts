import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright/test";
import {
  defaultSettings,
  notHere,
  type SettingKey,
  settingsShape,
  shrinkOnly,
} from "../../../shared/settings.ts";
import { settingGroups, settingSections } from "../../../shared/settings-texts/groups.ts";
import { settingTexts } from "../../../shared/settings-texts/texts.ts";
import type { Parley } from "../support/launch.ts";
import { shots } from "../support/shots.ts";
import { expect, replies, send, test } from "../support/test.ts";

const settings = (page: Page) => page.getByTestId("settings");
const row = (page: Page, key: SettingKey) =>
  settings(page).locator(`[data-testid="setting"][data-key="${key}"]`);
const control = (page: Page, key: SettingKey) => row(page, key).getByTestId("setting-control").first();
const section = (page: Page, name: string) => settings(page).locator(`[data-section="${name}"]`);

async function openSettings(page: Page, name = "general"): Promise<void> {
  await expect(page.getByTestId("composer")).toBeVisible();
  await page.keyboard.press("Control+,");
  await section(page, name).click();
}

const stored = ({ userData }: Parley): Record<string, unknown> =>
  JSON.parse(readFileSync(join(userData, "settings.json"), "utf8"));

/** What is typed for settings whose rule wants something of its own. */
const typed: Partial<Record<SettingKey, string>> = {
  anthropicBaseUrl: "https://one.example",
  openaiBaseUrl: "https://two.example/v1",
  model: "sonnet",
  workingFolder: "~/Elsewhere",
  "voice.language": "de",
  quickShortcut: "Control+Alt+Shift+F9",
  "voice.pushToTalkKey": "F8",
  "voice.voice": "rms",
  "voice.model": "small",
  "voice.microphone": "desk",
  "fence.readable": "/opt",
  toolOutputLimits: '{"shell": 5}',
  toolLineLimits: '{"shell": 6}',
  prices: '{"a-model": {"input": 1, "output": 2}}',
  "voice.words": '["Parley"]',
  "voice.serverMicrophones": '{"a": "b"}',
  contextWindow: "50000",
};

/** Another number that its rule takes. */
function otherNumber(key: SettingKey, now: string): string {
  const number = Number(now);
  const other = [number + 1, number - 1, number / 2].find((one) => settingsShape[key].safeParse(one).success);
  return String(other);
}

async function change(page: Page, key: SettingKey): Promise<void> {
  const field = control(page, key);
  const own = await field.getAttribute("data-kind");
  if (own === "keys") {
    await field.click();
    return await page.keyboard.press(typed[key] ?? "");
  }
  if (own === "cards" || own === "segments")
    return await field.getByRole("radio", { checked: false }).last().click();
  if (own === "list") {
    await field.getByRole("button").last().click();
    await field.getByRole("textbox").fill(typed[key] ?? "other");
    return await field.getByRole("textbox").press("Enter");
  }
  const kind = await field.evaluate((element) =>
    element instanceof HTMLSelectElement
      ? "select"
      : (element.getAttribute("role") ?? element.getAttribute("type")),
  );
  if (kind === "switch" || kind === "checkbox") return await field.click();
  const now = await field.inputValue();
  if (kind === "select") {
    const options = await field
      .locator("option")
      .evaluateAll((all) => all.map((one) => one.getAttribute("value")));
    const other = options.find(
      (option) => option?.trim() && option !== now && option !== defaultSettings[key],
    );
    // Nothing else is listed: a field for any name takes the place of the list.
    await field.selectOption(other ?? " ");
    if (other) return;
    await control(page, key).fill(typed[key] ?? "");
    return await control(page, key).press("Enter");
  }
  const isNumber = (await field.getAttribute("inputmode")) === "decimal";
  await field.fill(typed[key] ?? (isNumber ? otherNumber(key, now) : `${now}other`));
  await field.blur();
}

for (const name of settingSections) {
  test(`every setting of ${name} has a row with title and help, is changed there, and goes back to its default`, async ({
    start,
  }) => {
    const parley = await start();
    const { page, app } = parley;
    // Spelling is switched on and off: nobody is asked for its dictionaries.
    await app.evaluate(({ session }) =>
      session.defaultSession.setSpellCheckerDictionaryDownloadURL("http://127.0.0.1:9/"),
    );
    await openSettings(page, name);
    const keys = settingGroups.flatMap((group) => (group.section === name ? group.keys : []));
    for (const key of keys) {
      await expect(row(page, key)).toContainText(settingTexts[key].title);
      const { help, short = help } = settingTexts[key];
      await expect(row(page, key)).toContainText(short);
      if (notHere.has(key) || shrinkOnly.has(key)) continue;
      // One that the start of the tests changed begins with its default, as the others.
      const reset = row(page, key).getByTestId("setting-reset");
      if ((await row(page, key).getAttribute("data-changed")) === "true") await reset.click();
      await expect(row(page, key), key).toHaveAttribute("data-changed", "false");
      const before = stored(parley)[key];
      await change(page, key);
      await expect(row(page, key), key).toHaveAttribute("data-changed", "true");
      await expect.poll(() => stored(parley)[key], key).not.toEqual(before);
      await reset.click();
      await expect(row(page, key), key).toHaveAttribute("data-changed", "false");
      await expect.poll(() => Object.hasOwn(stored(parley), key), key).toBe(false);
    }
  });
}

test("a broken settings.json is said in the window and in the settings until it is corrected", async ({
  start,
}) => {
  const { page, userData } = await start();
  const cards = page.locator('[data-testid="error-card"][data-code="broken_settings"]');
  await expect(page.getByTestId("composer")).toBeVisible();
  await expect(cards).toHaveCount(0);
  writeFileSync(join(userData, "settings.json"), '{\n "theme": "light",\n}');
  await expect(cards).toContainText("line 3");
  await openSettings(page);
  await expect(settings(page).locator(cards)).toContainText("no setting can be changed");
  await shots(page, "settings-broken");
  writeFileSync(join(userData, "settings.json"), '{\n "theme": "light"\n}');
  await expect(cards).toHaveCount(0);
});

test("no setting of the schema is missing on the page", () => {
  const shown = settingGroups.flatMap(({ keys }) => keys);
  expect([...shown].sort()).toEqual(Object.keys(settingsShape).sort());
});

test("what breaks a rule is said under its field, is not written, and is not lost", async ({ start }) => {
  const parley = await start();
  const { page } = parley;
  await openSettings(page);
  const cases: [string, SettingKey, string, string][] = [
    ["general", "maxParallelTools", "many", "This must be a number."],
    ["general", "maxParallelTools", "2.5", "This must be a whole number."],
    ["general", "maxParallelTools", "65", "This must be at most 64."],
    ["general", "maxParallelTools", "0", "This must be at least 1."],
    ["general", "workingFolder", "  ", "This cannot be blank."],
    ["general", "toolLineLimits", "{", "This is not valid JSON"],
    ["models", "openaiBaseUrl", "nowhere", "This must be an address"],
  ];
  for (const [name, key, text, why] of cases) {
    await section(page, name).click();
    await control(page, key).fill(text);
    await control(page, key).press(key === "toolLineLimits" ? "Control+Enter" : "Enter");
    await expect(row(page, key).getByTestId("setting-error")).toContainText(why);
    expect(stored(parley)).not.toHaveProperty(key);
  }
  // Another section, and closed: what was typed is still there.
  await page.keyboard.press("Escape");
  await expect(settings(page)).toHaveCount(0);
  await openSettings(page, "models");
  await expect(control(page, "openaiBaseUrl")).toHaveValue("nowhere");
  await control(page, "openaiBaseUrl").fill("https://somewhere.example/v1");
  await control(page, "openaiBaseUrl").press("Enter");
  await expect(row(page, "openaiBaseUrl").getByTestId("setting-error")).toBeHidden();
  await expect.poll(() => stored(parley).openaiBaseUrl).toBe("https://somewhere.example/v1");
});

test("a change counts at once, here and in the file; one in the file shows here", async ({ start }) => {
  const parley = await start();
  const { page } = parley;
  await openSettings(page);
  await control(page, "theme").getByRole("radio", { name: "Dark" }).click();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  // What is marked in a text has the colours of the theme, too.
  const [marked, plain] = await page.evaluate(() => {
    const hint = document.body.appendChild(document.createElement("p"));
    hint.style.color = "var(--muted)";
    const colours = [getComputedStyle(hint, "::highlight(unsaid)").color, getComputedStyle(hint).color];
    hint.remove();
    return colours;
  });
  expect(marked).toBe(plain);
  writeFileSync(
    join(parley.userData, "settings.json"),
    JSON.stringify({ ...stored(parley), theme: "light", maxParallelTools: 3 }),
  );
  await expect(control(page, "maxParallelTools")).toHaveValue("3");
  await expect(page.locator("html")).toHaveAttribute("data-theme", "light");
});

test("search finds by title, help and key; the keyboard stays in the page and goes back", async ({
  start,
}) => {
  const { page } = await start();
  await page.getByTestId("composer").focus();
  await page.keyboard.press("Control+,");
  await expect(settings(page)).toBeVisible();
  await page.keyboard.press("Control+f");
  const search = page.getByTestId("settings-search");
  await expect(search).toBeFocused();
  for (const [words, key] of [
    ["longest reply", "maxTokens"],
    ["with jitter", "retryBaseMs"],
    ["voice.chime", "voice.chime"],
  ] as const) {
    await search.fill(words);
    await expect(row(page, key)).toBeVisible();
    await expect(row(page, "theme")).toBeHidden();
  }
  await search.fill("no such thing");
  await expect(page.getByTestId("settings-found")).toContainText("No setting has");
  await page.keyboard.press("Escape");
  await expect(search).toHaveValue("");
  for (let step = 0; step < 60; step++) {
    await page.keyboard.press("Tab");
    const isInside = await page.evaluate(
      () => document.activeElement === document.body || document.activeElement?.closest("dialog") !== null,
    );
    expect(isInside).toBe(true);
  }
  await page.keyboard.press("Escape");
  await expect(settings(page)).toHaveCount(0);
  await expect(page.getByTestId("composer")).toBeFocused();

  await send(page, "/settings");
  await expect(settings(page)).toBeVisible();
  await page.getByTestId("settings-close").click();
  await page.getByTestId("settings-button").click();
  await expect(settings(page)).toBeVisible();
});

test("keys are tested, given, listed and removed, and never told to a window", async ({ start, model }) => {
  model.offers(["claude-haiku-5-5", "claude-opus-5-5"]);
  const { page, userData } = await start({ env: { ANTHROPIC_BASE_URL: model.url } });
  await openSettings(page, "models");
  const provider = settings(page).locator('[data-maker="anthropic"]').first();
  await expect(provider).toContainText("No key");
  model.answerUnmarked('[[script:status {"code":401,"times":-1}]]');
  await provider.getByTestId("key-change").click();
  await page.getByTestId("key-field").fill("sk-secret-of-mine-1234567890");
  await page.getByTestId("key-save").click();
  await expect(page.getByTestId("key-dialog")).toContainText("refused this key");
  await expect(provider).toContainText("No key");
  await page.getByTestId("key-anyway").click();
  await expect(page.getByTestId("key-dialog")).toBeHidden();
  await expect(provider.getByTestId("key-badge")).toHaveText("Key refused");
  await expect(provider).toContainText("refused this key");
  model.answerUnmarked("[[script:text {}]]");
  await provider.getByTestId("key-test").click();
  await expect(provider.getByTestId("key-badge")).toContainText("Works");
  await provider.getByTestId("key-models").click();
  await expect(provider.getByTestId("key-models-list")).toContainText("2 models");
  expect(await page.content()).not.toContain("sk-secret-of-mine");
  const remove = provider.getByRole("button", { name: "Remove" });
  await remove.click();
  await provider.getByRole("button", { name: "Cancel" }).click();
  await expect(remove).toBeFocused();
  await remove.click();
  await remove.click();
  await expect(provider).toContainText("No key");
  await expect(provider.getByTestId("key-badge")).toBeHidden();
  expect(readFileSync(join(userData, "settings.json"), "utf8")).not.toContain("sk-secret");
});

test("a rule is written, counts where the user says, and is taken away; what would allow too much is refused in words", async ({
  start,
}) => {
  const rule = { verdict: "deny", command: "rm -rf" };
  const parley = await start({ settings: { permissionRules: [rule, { verdict: "ask", tool: "shell" }] } });
  const { page } = parley;
  await openSettings(page, "permissions");
  await expect(page.getByTestId("fence-state")).not.toBeEmpty();
  const rules = control(page, "permissionRules");
  await expect(rules.locator("li")).toHaveText([/rm -rf/, /shell/]);
  const remove = rules.locator("li").last().getByRole("button", { name: "Remove" });
  // Two presses in one are one: it asks.
  await remove.dblclick();
  const group = rules.getByRole("group", { name: /^Remove: .*shell.*\?$/ });
  await expect(group.getByRole("button", { name: "Cancel" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(remove).toBeFocused();
  await expect(rules.locator("li")).toHaveCount(2);
  await remove.click();
  await remove.click();
  await expect(rules.locator("li")).toHaveCount(1);
  await expect.poll(() => stored(parley).permissionRules).toEqual([rule]);

  const form = rules.getByTestId("add-rule");
  await form.getByTestId("rule-what").fill("git *");
  await form.getByRole("button", { name: "Add" }).click();
  await expect(form.getByTestId("rule-problem")).toContainText("would allow any program");
  await form.getByTestId("rule-what").fill("npm test");
  await form.getByTestId("rule-what").press("Enter");
  await expect(rules.locator("li").last()).toContainText("everywhere");
  const written = { verdict: "allow", command: "npm test", exact: true };
  await expect.poll(() => stored(parley).permissionRules).toEqual([rule, written]);
  await remove.click();
  await remove.click();
  await expect.poll(() => stored(parley).permissionRules).toEqual([rule]);
  const added = await page.evaluate(() =>
    window.parley.call("setting.change", {
      key: "permissionRules",
      value: [{ verdict: "allow", tool: "shell" }],
    }),
  );
  expect(added).toMatchObject({ ok: false });
  expect(stored(parley).permissionRules).toEqual([rule]);
});

test("all conversations go into one file", async ({ start }) => {
  const parley = await start();
  const { page, app, home } = parley;
  await send(page, "What is 2 + 3?");
  await expect(replies(page)).toHaveCount(1);
  await page.keyboard.press("Control+n");
  await send(page, "What is 4 + 5?");
  await expect(replies(page)).toHaveCount(1);
  const path = join(home, "all.json");
  await app.evaluate(({ dialog }, filePath) => {
    dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath });
  }, path);
  await openSettings(page, "data");
  await page.getByTestId("data-export").click();
  await expect(page.getByTestId("data-exported")).toContainText("2 conversations written");
  const text = readFileSync(path, "utf8");
  expect(JSON.parse(text).conversations).toHaveLength(2);
  for (const words of ["2 + 3", "4 + 5"]) expect(text).toContain(words);
  await expect(page.getByTestId("data-part")).toHaveCount(6);
});

test("everything is deleted after the word was typed; the next start is as new", async ({ start }) => {
  // Downloaded models go, too: not those of whoever runs this.
  const env = { XDG_CACHE_HOME: test.info().outputPath("cache") };
  const parley = await start({ env, settings: { maxParallelTools: 3 } });
  const { page, app, home, userData } = parley;
  await send(page, "A secret of mine");
  await expect(replies(page)).toHaveCount(1);
  writeFileSync(join(userData, ".env"), "MINE=1\n");
  await app.evaluate(({ app }) => {
    app.relaunch = () => {};
  });
  await openSettings(page, "data");
  await page.getByTestId("data-delete").click();
  await expect(page.getByTestId("data-delete-now")).toBeDisabled();
  await page.getByTestId("data-delete-word").fill("delete");
  const gone = app.waitForEvent("close");
  await page.getByTestId("data-delete-now").click();
  await gone;
  // A quit that takes too long leaves it to the next start.
  const { page: again, close } = await start({ home });
  await expect(again.getByTestId("session-row")).toHaveCount(0);
  await expect(again.getByText("A secret of mine")).toHaveCount(0);
  await close();
  const files = readdirSync(userData, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  const read = ({ parentPath, name }: (typeof files)[number]) => readFileSync(join(parentPath, name));
  expect(files.filter((file) => read(file).includes("A secret of mine"))).toEqual([]);
  const settings = join(userData, "settings.json");
  expect(existsSync(settings) ? readFileSync(settings, "utf8") : "").not.toContain("maxParallelTools");
  expect(files.map(({ name }) => name)).toContain(".env");
  expect(files.map(({ name }) => name)).not.toContain("delete-everything");
});

test("About says the versions and licences, and that this is a development build", async ({ start }) => {
  const { page } = await start();
  await expect(page.getByText("Development build")).toBeHidden();
  await openSettings(page, "about");
  await expect(page.getByTestId("about")).toContainText("Development build");
  await expect(page.getByTestId("runtime-notice")).toContainText("past its end of life");
  await expect(page.getByTestId("licences")).toContainText("zod");
});

test("the page in pictures; narrow, nothing leaves it at the side", async ({ start }) => {
  const { page, app } = await start({ settings: { maxSessionUsd: 5 } });
  for (const width of [1180, 420]) {
    await app.evaluate(({ BrowserWindow }, px) => {
      for (const window of BrowserWindow.getAllWindows())
        if (window.isVisible()) window.setContentSize(px, 800);
    }, width);
    await page.waitForFunction((px) => Math.abs(window.innerWidth - px) <= 20, width);
    for (const name of settingSections) {
      await openSettings(page, name);
      await expect(section(page, name)).toHaveAttribute("aria-current", "page");
      const beyond = await settings(page).evaluate((dialog) => {
        const { right } = dialog.getBoundingClientRect();
        const rows = [...dialog.querySelectorAll("main *")];
        return rows
          .filter((one) => one.getBoundingClientRect().right > right + 1)
          .map((one) => one.outerHTML.slice(0, 120));
      });
      expect(beyond).toEqual([]);
      await shots(page, `settings-${name}-${width}`);
      await page.keyboard.press("Escape");
      // A dialog is hidden before its page knows that it is closed.
      await expect(settings(page)).toHaveCount(0);
    }
  }
});
