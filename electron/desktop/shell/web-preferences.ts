/**
 * What every page of ours may be: a page, and nothing else. Most of it is Electron's default; here it stands so that
 * nobody changes it for one window without seeing the others.
 */
export function lockedPreferences(preload: string): Electron.WebPreferences {
  return {
    preload,
    contextIsolation: true,
    sandbox: true,
    nodeIntegration: false,
    nodeIntegrationInWorker: false,
    nodeIntegrationInSubFrames: false,
    webSecurity: true,
    allowRunningInsecureContent: false,
    experimentalFeatures: false,
    webviewTag: false,
    navigateOnDragDrop: false,
    // Can be switched on; see `applySpelling`.
    spellcheck: true,
  };
}
