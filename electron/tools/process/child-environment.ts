import { delimiter, isAbsolute } from "node:path";
import { hasKeyForm, hasSecretAddress } from "../../../shared/safety/redact.ts";
import type { Settings } from "../../../shared/settings.ts";

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * What a child process gets of our variables: by a list of what may pass, since nobody can list all that must not.
 * `filtered` passes what shells, languages and builds go by, `core` what they cannot do without, `none` what a shell
 * needs to find a program. Whatever the policy, a value with a password or a token in an address does not pass, and but for
 * `inherit all` neither does one that has the form of a key.
 */
export function childEnvironment(
  policy: Settings["environmentPolicy"],
  own: Variables,
): Record<string, string> {
  const result: Record<string, string> = {};
  for (const [name, value] of Object.entries(own)) {
    if (value === undefined || !isPassedOn(policy, name, value)) continue;
    const passed = searched.has(name.toUpperCase()) ? onlyAbsolute(value) : value;
    if (passed !== "") result[name] = passed;
  }
  return result;
}

/** Lists of folders in which programs and what they load are looked for. */
const searched: ReadonlySet<string> = new Set(["PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"]);

/** An empty part, as a relative one, is the folder that a program is started in: whoever writes there decides what runs. */
const onlyAbsolute = (folders: string): string =>
  folders
    .split(delimiter)
    .filter((part) => isAbsolute(part))
    .join(delimiter);

/** For programs of Parley's own: what is `filtered`, what the user tells Parley by, and the proxy with its password. */
export function ownEnvironment(own: Variables): Record<string, string> {
  const told = Object.entries(own).filter(
    (entry): entry is [string, string] => forParley.test(entry[0]) && entry[1] !== undefined,
  );
  return { ...childEnvironment("filtered", own), ...Object.fromEntries(told) };
}

const forParley = /^(PARLEY_(STT_MODEL|SPEECH_CATALOGUE|MODELS)|(https?|all|no)_proxy)$/i;

function isPassedOn(policy: Settings["environmentPolicy"], name: string, value: string): boolean {
  if (hasSecretAddress(value)) return false;
  if (policy === "inherit all") return true;
  if (hasKeyForm(value)) return false;
  const known = name.toUpperCase();
  if (bare.has(known)) return true;
  if (policy === "none") return false;
  return core.has(known) || (policy === "filtered" && (usual.has(known) || known.startsWith("LC_")));
}

const names = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

/** Upper case: on Windows the names' case varies. */
const bare = names("PATH HOME LANG TERM TMPDIR SYSTEMROOT SYSTEMDRIVE WINDIR COMSPEC PATHEXT TEMP TMP");

const core = names(
  `USER LOGNAME SHELL LANGUAGE LC_ALL LC_CTYPE TZ
   GOPATH GOROOT CARGO_HOME RUSTUP_HOME NVM_DIR PYENV_ROOT VIRTUAL_ENV JAVA_HOME NODE_PATH PNPM_HOME RBENV_ROOT
   USERPROFILE HOMEDRIVE HOMEPATH APPDATA LOCALAPPDATA PROGRAMFILES PROGRAMDATA`,
);

const usual = names(
  `AR CC CXX CFLAGS CPPFLAGS CXXFLAGS LDFLAGS MAKEFLAGS PKG_CONFIG_PATH LD_LIBRARY_PATH DYLD_LIBRARY_PATH CMAKE_GENERATOR
   CMAKE_PREFIX_PATH CI COLORTERM CLICOLOR FORCE_COLOR NO_COLOR COLUMNS LINES DEBIAN_FRONTEND EDITOR VISUAL PAGER LESS
   NODE_ENV NODE_OPTIONS NODE_EXTRA_CA_CERTS NPM_CONFIG_REGISTRY NPM_CONFIG_CACHE NPM_CONFIG_PREFIX COREPACK_HOME VOLTA_HOME FNM_DIR BUN_INSTALL DENO_INSTALL
   PYTHONPATH PYTHONHOME PYTHONUNBUFFERED PYTHONDONTWRITEBYTECODE PIP_INDEX_URL PIP_CERT CONDA_PREFIX CONDA_DEFAULT_ENV
   UV_INDEX_URL POETRY_HOME GEM_HOME GEM_PATH BUNDLE_PATH RUBYLIB PERL5LIB CGO_ENABLED GOOS GOARCH GOFLAGS GOPROXY GOPRIVATE GOTOOLCHAIN
   RUSTFLAGS RUST_BACKTRACE RUSTUP_TOOLCHAIN JDK_HOME M2_HOME MAVEN_HOME GRADLE_HOME ANDROID_HOME ANDROID_SDK_ROOT KOTLIN_HOME SDKMAN_DIR
   DOTNET_ROOT DOTNET_CLI_TELEMETRY_OPTOUT CUDA_HOME CUDA_PATH NIX_PATH NIX_PROFILES NIX_SSL_CERT_FILE ASDF_DIR ASDF_DATA_DIR MISE_DATA_DIR
   SSL_CERT_FILE SSL_CERT_DIR REQUESTS_CA_BUNDLE CURL_CA_BUNDLE GIT_SSL_CAINFO
   HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY FTP_PROXY
   DISPLAY WAYLAND_DISPLAY XAUTHORITY DBUS_SESSION_BUS_ADDRESS XDG_RUNTIME_DIR XDG_SESSION_TYPE XDG_CURRENT_DESKTOP XDG_CONFIG_HOME
   XDG_CACHE_HOME XDG_DATA_HOME XDG_STATE_HOME XDG_DATA_DIRS XDG_CONFIG_DIRS PULSE_SERVER PULSE_COOKIE PULSE_SINK PULSE_SOURCE
   PIPEWIRE_REMOTE PIPEWIRE_RUNTIME_DIR SSH_AUTH_SOCK SOURCE_DATE_EPOCH`,
);
