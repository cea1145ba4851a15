import { launchParley } from "../../e2e/support/launch.ts";

/** From the wish for the quick prompt to its picture, in milliseconds, from its second showing on: the first one makes it. */
export async function quickPromptMs(rounds: number): Promise<number[]> {
  const { app, page, close } = await launchParley({ settings: { provider: "offline" } });
  await page.getByTestId("composer").waitFor();
  const took: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const ms = await app.evaluate(async ({ BrowserWindow, Menu }) => {
      const items = Menu.getApplicationMenu()?.items.flatMap(({ submenu }) => submenu?.items ?? []);
      const toggle = items?.find(({ label }) => label === "Quick prompt");
      if (!toggle) throw new Error("The menu has no quick prompt.");
      const since = performance.timeOrigin + performance.now();
      toggle.click();
      const quick = BrowserWindow.getAllWindows().find((one) => !one.webContents.getURL().includes("/main/"));
      if (!quick) throw new Error("There is no quick prompt.");
      if (quick.webContents.isLoading()) {
        await new Promise<void>((resolve) => quick.webContents.once("did-finish-load", () => resolve()));
      }
      const paintedAt: number = await quick.webContents.executeJavaScript(`new Promise((resolve) => {
        const look = () => {
          if (document.visibilityState !== "visible" || !document.querySelector("textarea")) {
            return void setTimeout(look, 1);
          }
          requestAnimationFrame(() => {
            const { port1, port2 } = new MessageChannel();
            port1.onmessage = () => resolve(performance.timeOrigin + performance.now());
            port2.postMessage(null);
          });
        };
        look();
      })`);
      const hidden = new Promise<void>((resolve) => quick.once("hide", () => resolve()));
      toggle.click();
      await hidden;
      return paintedAt - since;
    });
    if (round > 0) took.push(ms);
  }
  await close();
  return took;
}
