import { app, BrowserWindow } from "electron";

// The least that Electron can show: what a start of Parley is compared with.
app.on("window-all-closed", () => app.quit());
// Not awaited here: Electron is ready only once its first module has run.
void app.whenReady().then(async () => {
  const window = new BrowserWindow({ width: 1180, height: 800, webPreferences: { sandbox: true } });
  await window.loadFile(`${import.meta.dirname}/bare-window.html`);
  // As Parley's: the caret in its text box blinks.
  window.focus();
  await window.webContents.executeJavaScript('document.querySelector("textarea").focus()');
});
