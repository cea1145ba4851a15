import { hasKeyForm } from "../../shared/redact.ts";
import type { Settings } from "../../shared/settings.ts";

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * What a child process gets of our variables. `filtered` leaves out what is named like a secret, or has the form of a key; `core` gives only what
 * a shell and language tools need to work. A safety default, not a boundary: a command can read files all the same.
 */
export function childEnvironment(
  policy: Settings["environmentPolicy"],
  own: Variables,
): Record<string, string> {
  const result: Record<string, string> = {};
  for (const [name, value] of Object.entries(own)) {
    if (value !== undefined && isPassedOn(policy, name, value)) result[name] = value;
  }
  return result;
}

function isPassedOn(policy: Settings["environmentPolicy"], name: string, value: string): boolean {
  if (policy === "inherit all" || core.has(name.toUpperCase())) return true;
  return policy === "filtered" && !secret.test(name) && !hasKeyForm(value);
}

const secret =
  /(?:^|_)(?:API_KEY|ACCESS_KEY|SECRET_KEY|PRIVATE_KEY|SECRET|TOKEN|PASSWORD|PASSPHRASE|CREDENTIAL)$/i;

/** Upper case: on Windows the names' case varies. */
const core: ReadonlySet<string> = new Set(
  `PATH HOME USER LOGNAME SHELL LANG LANGUAGE LC_ALL LC_CTYPE TERM TMPDIR TZ
   GOPATH GOROOT CARGO_HOME RUSTUP_HOME NVM_DIR PYENV_ROOT VIRTUAL_ENV JAVA_HOME NODE_PATH PNPM_HOME RBENV_ROOT
   SYSTEMROOT SYSTEMDRIVE WINDIR COMSPEC PATHEXT TEMP TMP USERPROFILE HOMEDRIVE HOMEPATH APPDATA LOCALAPPDATA
   PROGRAMFILES PROGRAMDATA`.split(/\s+/),
);
