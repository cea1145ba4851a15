import type { ElectronApplication, Page } from "playwright/test";
import { closeMainWindow, openQuick, quickWindow, reopenMainWindow } from "../support/launch.ts";
import { clipSamples, fakeMicrophone, silence, wordErrorRate, writeWav } from "../support/machine/audio.ts";
import { keyboard } from "../support/machine/keyboard.ts";
import { shots } from "../support/shots.ts";
import { expect, replies, send, test } from "../support/test.ts";

const isHidden = async (app: ElectronApplication) => !(await quickWindow(app)).isVisible;

/** As the system sends it: keys of the test driver reach the page alone. */
const pressControl = (app: ElectronApplication, path: string, keyCode: string) =>
  app.evaluate(
    ({ BrowserWindow }, [path, keyCode]) => {
      const window = BrowserWindow.getAllWindows().find((one) => one.webContents.getURL().includes(path));
      window?.webContents.sendInputEvent({ type: "keyDown", keyCode, modifiers: ["control"] });
    },
    [path, keyCode] as const,
  );

/** Everything of the card lies inside of the window, and the window inside of the display. */
async function expectWhole(app: ElectronApplication, quick: Page): Promise<void> {
  const card = () =>
    quick.evaluate(() => {
      const foot = document.querySelector("footer")?.getBoundingClientRect();
      if (!foot) return "no footer";
      const isIn = foot.bottom <= innerHeight + 1 && foot.right <= innerWidth + 1;
      return isIn ? "whole" : `${foot.right} × ${foot.bottom} in ${innerWidth} × ${innerHeight}`;
    });
  await expect.poll(card).toBe("whole");
  const isInside = await app.evaluate(({ BrowserWindow, screen }) => {
    const window = BrowserWindow.getAllWindows().find((one) => one.webContents.getURL().includes("/quick/"));
    const bounds = window?.getBounds();
    if (!bounds) return false;
    const { workArea } = screen.getDisplayMatching(bounds);
    return bounds.y + bounds.height <= workArea.y + workArea.height && bounds.width <= workArea.width;
  });
  expect(isInside).toBe(true);
}

const shownMessages = (body: { messages?: unknown } | undefined) => JSON.stringify(body?.messages);

test("follow-ups go on in the same conversation until a new one is asked for; the main window keeps its own", async ({
  startWithModel,
  model,
}) => {
  const { app, page } = await startWithModel();
  await send(page, "what the main window is about");
  await expect(replies(page)).toHaveCount(1);
  const quick = await openQuick(app);
  await send(quick, "capital of France?");
  await expect(replies(quick)).toHaveText("capital of France?");
  await send(quick, "and of Spain?");
  await expect(replies(quick)).toHaveText("and of Spain?");
  expect(shownMessages(model.requests.at(-1)?.body)).toContain("capital of France?");
  await shots(quick, "quick-follow-up");

  await quick.keyboard.press("Escape");
  await expect.poll(() => isHidden(app)).toBe(true);
  await openQuick(app);
  await expect(replies(quick)).toHaveText("and of Spain?");
  await quick.keyboard.press("ControlOrMeta+n");
  await expect(replies(quick)).toHaveCount(0);
  await send(quick, "something else");
  await expect(replies(quick)).toHaveText("something else");
  expect(shownMessages(model.requests.at(-1)?.body)).not.toContain("France");

  await closeMainWindow(app);
  const again = await reopenMainWindow(app);
  await expect(again.getByTestId("message-user")).toContainText("what the main window is about");
});

test("what is selected elsewhere and a picture of the screen go with the prompt, when the user says so", async ({
  startWithModel,
  model,
}) => {
  test.skip(process.platform !== "linux", "only there the system tells what is selected");
  const { app } = await startWithModel();
  await app.evaluate(({ clipboard }, text) => {
    // As the runtime of the tests has it; newer ones have `clipboard.selection`.
    const write: unknown = Reflect.get(clipboard, "writeText");
    if (typeof write === "function") Reflect.apply(write, clipboard, [text, "selection"]);
  }, "The landlord may enter only after\ntelling the tenant.");
  const quick = await openQuick(app);
  const offers = quick.getByTestId("quick-offer");
  await expect(offers.first()).toContainText("“The landlord may enter only after telling the tenant.”");
  await expectWhole(app, quick);
  await shots(quick, "quick-empty");

  // The first one is chosen already.
  await quick.keyboard.press("Enter");
  await expect(quick.getByTestId("attachment")).toContainText("Selection");
  await send(quick, "is this usual?");
  await expect(replies(quick)).toHaveText("is this usual?");
  expect(shownMessages(model.requests.at(-1)?.body)).toContain("telling the tenant.");

  await quick.keyboard.press("ControlOrMeta+n");
  await offers.nth(1).click();
  await expect(quick.getByTestId("attachment").locator("img")).toBeVisible();
  expect(await isHidden(app)).toBe(false);
  await shots(quick, "quick-picture");
  await send(quick, "what is there to see?");
  await expect(replies(quick)).toHaveText("what is there to see?");
  expect(shownMessages(model.requests.at(-1)?.body)).toContain('"image/png"');
});

// Bug: at 1.5 times its size the last lines and the footer were cut.
test("the quick prompt is whole however large everything is drawn, also where that changes while it is open", async ({
  startWithModel,
}) => {
  const { app } = await startWithModel();
  await pressControl(app, "/main/", "=");
  await pressControl(app, "/main/", "=");
  const quick = await openQuick(app);
  await expect.poll(() => quick.evaluate(() => devicePixelRatio)).toBeGreaterThan(1.15);
  await expectWhole(app, quick);
  await send(quick, 'long [[script:text {"words":400}]]');
  await expect(replies(quick)).toContainText("word-400");
  await expectWhole(app, quick);
  for (let step = 0; step < 4; step++) await pressControl(app, "/quick/", "numadd");
  await expect.poll(() => quick.evaluate(() => devicePixelRatio)).toBeGreaterThan(1.6);
  await expectWhole(app, quick);
  await shots(quick, "quick-large");
  await pressControl(app, "/quick/", "num0");
  await expect.poll(() => quick.evaluate(() => devicePixelRatio)).toBe(1);
  await expectWhole(app, quick);
});

test("it comes where it was left on this display; what was typed and not sent is still there", async ({
  startWithModel,
}) => {
  const parley = await startWithModel();
  const { app } = parley;
  const quick = await openQuick(app);
  await quick.getByTestId("composer").fill("half a thought");
  await app.evaluate(({ BrowserWindow }) => {
    const window = BrowserWindow.getAllWindows().find((one) => one.webContents.getURL().includes("/quick/"));
    window?.setPosition(30, 40);
  });
  await expect.poll(async () => (await quickWindow(app)).bounds).toMatchObject({ x: 30, y: 40 });
  await quick.keyboard.press("Escape");
  await expect.poll(() => isHidden(app)).toBe(true);
  await openQuick(app);
  await expect.poll(async () => (await quickWindow(app)).bounds).toMatchObject({ x: 30, y: 40 });
  await expect(quick.getByTestId("composer")).toHaveValue("half a thought");

  await parley.close();
  const later = await startWithModel({ home: parley.home });
  await openQuick(later.app);
  await expect.poll(async () => (await quickWindow(later.app)).bounds).toMatchObject({ x: 30, y: 40 });
});

test("what is said into it is asked, by a press and by holding; closed, it listens no more", async ({
  startWithModel,
}) => {
  const wav = writeWav(
    silence(1500),
    clipSamples("librivox_0930"),
    silence(2500),
    clipSamples("librivox_0930"),
    silence(60_000),
  );
  const { app, page } = await startWithModel({
    switches: fakeMicrophone(wav),
    // The button means what it says, whatever else would have to be done to be heard.
    settings: { "voice.speak": "never", "voice.wakePhrase": "hello parley" },
  });
  const quick = await openQuick(app);
  const mic = quick.getByTestId("quick-mic");
  await mic.click();
  await expect(mic).toHaveAttribute("aria-pressed", "true");
  await expect(quick.getByTestId("partial")).toBeVisible();
  await shots(quick, "quick-listening");
  await expect(replies(quick)).toHaveCount(1);
  expect(wordErrorRate("librivox_0930", (await replies(quick).textContent()) ?? "")).toBeLessThan(0.75);
  await mic.click();
  await expect(mic).toHaveAttribute("aria-pressed", "false");

  const box = await mic.boundingBox();
  if (!box) throw new Error("There is no microphone.");
  await quick.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await quick.mouse.down();
  await expect(mic).toHaveAttribute("aria-pressed", "true");
  await expect(quick.getByTestId("partial")).toContainText(/\w+ \w+/);
  await quick.mouse.up();
  await expect(mic).toHaveAttribute("aria-pressed", "false");
  await expect(page.getByTestId("conversation-item")).toHaveCount(2);

  await mic.click();
  await expect(mic).toHaveAttribute("aria-pressed", "true");
  await quick.keyboard.press("Escape");
  await expect(mic).toHaveAttribute("aria-pressed", "false");
  expect(await isHidden(app)).toBe(false);
  await mic.click();
  await expect(mic).toHaveAttribute("aria-pressed", "true");
  await app.evaluate(({ Menu }) => {
    const [conversation] = Menu.getApplicationMenu()?.items ?? [];
    conversation?.submenu?.items.find(({ label }) => label === "Quick prompt")?.click();
  });
  await expect.poll(() => isHidden(app)).toBe(true);
  await expect(mic).toHaveAttribute("aria-pressed", "false");
});

test("its shortcut opens it from any program, another one as soon as the setting says so; one that another program has is named", async ({
  startWithModel,
}) => {
  test.skip(process.platform !== "linux", "keys are pressed by a program of X");
  const settings = { quickShortcut: "Ctrl+Alt+Shift+F7" };
  const { app, page } = await startWithModel({ settings });
  await keyboard.press("ctrl+alt+shift+F7");
  await expect.poll(() => isHidden(app)).toBe(false);
  await keyboard.press("ctrl+alt+shift+F7");
  await expect.poll(() => isHidden(app)).toBe(true);

  const other = await startWithModel({ settings });
  await other.page.keyboard.press("ControlOrMeta+,");
  await other.page.locator('[data-section="shortcuts"]').click();
  await expect(other.page.getByTestId("shortcut-state")).toContainText("already uses Ctrl+Alt+Shift+F7");
  await shots(other.page, "shortcut-taken");
  const field = other.page.locator('[data-key="quickShortcut"]').getByTestId("setting-control");
  await field.click();
  await other.page.keyboard.press("Control+Alt+Shift+F8");
  await expect(other.page.getByTestId("shortcut-state")).toHaveCount(0);
  await expect(other.page.getByTestId("shortcut-free")).toBeVisible();
  await keyboard.press("ctrl+alt+shift+F8");
  await expect.poll(() => isHidden(other.app)).toBe(false);
  await expect(page.getByTestId("composer")).toBeAttached();
  expect(await isHidden(app)).toBe(true);
});

test("another model is chosen in the footer, for the conversation of the quick prompt alone", async ({
  startWithModel,
  model,
}) => {
  model.offers(["claude-opus-5-5", "claude-haiku-5-5"]);
  const { app, page } = await startWithModel({ settings: { model: "claude-opus-5-5" } });
  const quick = await openQuick(app);
  const button = quick.getByTestId("quick-model");
  const list = quick.getByTestId("quick-models");
  await expect(button).toContainText(/opus/i);
  await button.click();
  await expect(list.getByRole("menuitemradio", { name: /opus/i })).toBeFocused();
  await expectWhole(app, quick);
  await shots(quick, "quick-models");
  await quick.keyboard.press("Escape");
  await expect(list).toHaveCount(0);
  await expect(button).toBeFocused();
  expect(await isHidden(app)).toBe(false);
  await quick.keyboard.press("Enter");
  await expect(list.getByRole("menuitemradio", { name: /opus/i })).toBeFocused();
  await quick.keyboard.press("End");
  await quick.keyboard.press("Enter");
  await expect(button).toContainText(/haiku/i);
  await expect(quick.getByTestId("composer")).toBeFocused();
  await send(quick, "who are you?");
  await expect(replies(quick)).toHaveCount(1);
  expect(model.requests.map(({ body }) => body.model)).toContain("claude-haiku-5-5");
  await expect(button).toContainText(/haiku/i);
  await expect(page.getByTestId("model")).toContainText(/opus/i);
  await quick.keyboard.press("ControlOrMeta+n");
  await expect(button).toContainText(/opus/i);
});
