const systems = { linux: "Linux", darwin: "macOS", win32: "Windows" };

/**
 * How the packages of this system will be signed. Pure.
 * @param env as the release job gives it: a secret that is not there is an empty variable
 * @returns env for electron-builder, which takes an empty variable for a certificate without a name; note: a line of Markdown
 */
export function signing(env, platform = process.platform) {
  const { CSC_LINK, CSC_KEY_PASSWORD, ...others } = env;
  const isSigned = platform !== "linux" && Boolean(CSC_LINK);
  const isNotarised = isSigned && appleNames.every((name) => env[name]);
  const own = isSigned
    ? { ...others, CSC_LINK, CSC_KEY_PASSWORD }
    : { ...others, CSC_IDENTITY_AUTO_DISCOVERY: "false" };
  // Half of them would fail the making.
  if (!isNotarised) for (const name of appleNames) delete own[name];
  return { env: own, note: `- ${systems[platform]}: ${wordsFor(platform, isSigned, isNotarised)}\n` };
}

const appleNames = ["APPLE_ID", "APPLE_APP_SPECIFIC_PASSWORD", "APPLE_TEAM_ID"];

function wordsFor(platform, isSigned, isNotarised) {
  if (platform === "linux") return "not signed. `SHA256SUMS` and the provenance show what was built here.";
  if (!isSigned) return "**not signed**: the system warns before it starts Parley.";
  if (platform !== "darwin") return "signed.";
  const how = isNotarised
    ? "signed and notarised"
    : "signed, **not notarised**: the system warns before it starts Parley";
  return `${how}. For Apple processors alone.`;
}
