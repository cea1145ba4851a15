/** The runtime of the tests, and of set-up where Electron's own download cannot be reached; past its end of life, so no release ships it. */
export const testRuntimeVersion = "33.2.1";

/** The runtime in words, for the start line and the About panel. */
export function describeRuntime(versions: { electron: string; chrome: string; node: string }): string {
  const { electron, chrome, node } = versions;
  const note =
    electron === testRuntimeVersion
      ? " (end-of-life test runtime: for development, never for a release)"
      : "";
  return `Electron ${electron}${note}, Chromium ${chrome}, Node ${node}`;
}
