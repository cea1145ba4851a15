const { app } = require("electron");

// Loaded before the app (`electron -r`). Once the first window has painted its text box, it writes one line to stdout: when
// that was and what was marked on the way, each in milliseconds since the epoch.

const began = now();

/** In the page: waits for the text box and the picture that has it. */
const painted = `new Promise((resolve) => {
  const look = () => {
    if (!document.querySelector("[data-testid=composer]")) return false;
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        const at = (ms) => performance.timeOrigin + ms;
        const [page] = performance.getEntriesByType("navigation");
        resolve({
          ...Object.fromEntries(performance.getEntriesByType("mark").map(({ name, startTime }) => [name, at(startTime)])),
          pageAsked: at(0),
          pageRead: at(page.domInteractive),
          pageLoaded: at(page.domContentLoadedEventEnd),
          painted: at(performance.now()),
        });
      };
      port2.postMessage(null);
    });
    return true;
  };
  if (look()) return;
  const watcher = new MutationObserver(() => look() && watcher.disconnect());
  watcher.observe(document, { childList: true, subtree: true });
})`;

app.once("browser-window-created", (_event, { webContents }) => {
  const windowMade = now();
  // For what a window costs without a caret that blinks.
  process.on("SIGUSR2", () => void webContents.executeJavaScript("document.activeElement?.blur()"));
  webContents.once("dom-ready", async () => {
    const page = await webContents.executeJavaScript(painted);
    const marks = performance
      .getEntriesByType("mark")
      .map(({ name, startTime }) => [name, performance.timeOrigin + startTime]);
    const told = { began, ...Object.fromEntries(marks), windowMade, ...page };
    process.stdout.write(`${JSON.stringify(told)}\n`);
  });
});

function now() {
  return performance.timeOrigin + performance.now();
}
