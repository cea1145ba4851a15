import { existsSync, realpathSync, statSync } from "node:fs";
import { basename, delimiter, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import type { FencePlace } from "../place.ts";

/** Programs, libraries and their settings, which every user of the computer can read. */
const systemFolders: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  linux:
    "/usr /bin /sbin /lib /lib32 /lib64 /libx32 /etc /opt /nix /gnu /snap /var/lib/snapd /var/lib/flatpak /var/lib/dpkg /var/lib/alternatives".split(
      " ",
    ),
  // Seatbelt cannot start a program without its system: there what is not the user's is readable.
  darwin: [],
};

/** What is hidden on macOS, where not all can be. */
const hiddenOnMac = "/Users /Volumes /private/tmp /private/var/folders /private/var/root".split(" ");

/** Tool chains in the home folder: programs. What in them holds keys is hidden all the same. */
const toolChains = [
  ".asdf .bun .cargo .deno .dotnet .fnm .gem .goenv .jenv .juliaup .local/bin .local/lib .local/pipx .local/share/fnm",
  ".local/share/mise .local/share/pipx .local/share/pnpm .local/share/rtx .local/share/uv .mix .n .nodenv .npm-global .nvm .nodebrew",
  ".pixi .poetry .pyenv .rbenv .rustup .rvm .rye .sdkman .swiftly .volta .yarn .config/yarn go/bin miniconda3 miniforge3 anaconda3",
  ".cabal/store .ghcup .krew/store .linuxbrew .local/share/aquaproj-aqua .opam .phpenv .plenv .proto .tfenv .tgenv google-cloud-sdk",
].flatMap((line) => line.split(" "));

/** Variables that name where a tool chain is. */
const toolChainVariables = `
  ANDROID_HOME ANDROID_SDK_ROOT ASDF_DATA_DIR ASDF_DIR BUN_INSTALL CARGO_HOME CONDA_PREFIX CUDA_HOME DENO_INSTALL DOTNET_ROOT
  FNM_DIR GEM_HOME GOENV_ROOT GOROOT GRADLE_HOME JAVA_HOME JDK_HOME KOTLIN_HOME M2_HOME MAMBA_ROOT_PREFIX MAVEN_HOME
  MISE_DATA_DIR N_PREFIX NODENV_ROOT NVM_DIR PNPM_HOME POETRY_HOME PYENV_ROOT RBENV_ROOT RUSTUP_HOME RYE_HOME SDKMAN_DIR
  VIRTUAL_ENV VOLTA_HOME`
  .trim()
  .split(/\s+/);

/** In system folders, where a user may read them: as root, or by a mistake. */
const systemSecrets =
  "/etc/shadow /etc/shadow- /etc/gshadow /etc/gshadow- /etc/sudoers /etc/sudoers.d /etc/ssl/private /etc/ssh /etc/NetworkManager/system-connections /etc/wireguard /etc/openvpn /etc/krb5.keytab /etc/npmrc /etc/docker /etc/kubernetes /etc/letsencrypt /etc/rancher /etc/credstore /etc/credstore.encrypted /etc/pki/tls/private /etc/ppp /etc/wpa_supplicant /etc/machine-id".split(
    " ",
  );

export interface ReadLists {
  allowed: string[];
  denied: string[];
}

/**
 * What commands may read besides the working folder and their own temporary folder: system folders, tool chains, the
 * folders of `PATH`, and what the user named. Everything else is not there for them.
 */
export function readLists(place: FencePlace, readable: readonly string[]): ReadLists {
  const { platform, home } = place;
  const allowed = [
    ...(systemFolders[platform] ?? []),
    ...toolPlaces(place),
    ...chosenFolders(readable, home),
  ].filter((path) => isAllowed(path, home));
  const denied = platform === "darwin" ? [...hiddenOnMac, home, ...systemSecrets] : ["/", ...systemSecrets];
  return { allowed: unique(allowed), denied: unique(denied.filter((path) => existsSync(path))) };
}

/**
 * Where commands may read programs that the user put there, and where keys of the user's may lie beside them: all of it
 * but what the user named in the settings.
 */
export function placesOfTools(place: FencePlace, readable: readonly string[]): string[] {
  const { home } = place;
  const chosen = chosenFolders(readable, home);
  const named = namedToolChains(place);
  return unique(toolPlaces(place)).filter(
    (path) =>
      isAllowed(path, home) &&
      (named.includes(path) || isBelowHome(path, home)) &&
      !isSourceOfGo(path) &&
      !chosen.some((one) => isAtOrAbove(one, path)),
  );
}

const toolPlaces = (place: FencePlace): string[] => [
  ...toolChains.map((name) => join(place.home, name)),
  ...namedToolChains(place),
  ...pathFolders(place).flatMap((folder) => installedAround(folder, place.home)),
];

const chosenFolders = (readable: readonly string[], home: string): string[] =>
  readable.map((folder) => (folder.startsWith("~/") ? join(home, folder.slice(2)) : folder));

/** It is there, and the home folder is not in it. */
const isAllowed = (path: string, home: string): boolean =>
  isAbsolute(path) && existsSync(path) && !withReal(home).some((one) => isAtOrAbove(path, one));

const isBelowHome = (path: string, home: string): boolean =>
  withReal(home).some((one) => isAtOrAbove(one, path));

/**
 * Tool chains that variables name, with what they lead to: folders, and none that is the home folder, Parley's, a place
 * for keys, or around one of these.
 */
export function namedToolChains({ env, home, own, temporaryFolder, isSecret }: NamedPlace): string[] {
  const kept = [home, temporaryFolder, ...own, ...placesOfKeys.map((name) => join(home, name))].flatMap(
    withReal,
  );
  const mayBeRead = (path: string) =>
    statSync(path, { throwIfNoEntry: false })?.isDirectory() === true &&
    !kept.some((one) => isAtOrAbove(path, one)) &&
    ![...own, ...placesOfKeys.map((name) => join(home, name))].some((one) => isAtOrAbove(one, path)) &&
    !isSecret(path);
  const named = toolChainVariables.flatMap((name) => env[name] ?? []).filter((path) => isAbsolute(path));
  return unique(named.flatMap((path) => (withReal(path).every(mayBeRead) ? withReal(path) : [])));
}

type NamedPlace = Pick<FencePlace, "env" | "home" | "own" | "temporaryFolder" | "isSecret">;

/** Relative to the home folder: what no variable makes readable. */
const placesOfKeys = [
  ".ssh",
  ".gnupg",
  ".aws",
  ".azure",
  ".kube",
  ".docker",
  ".config",
  ".password-store",
  ".mozilla",
];

/** A path with what it leads to; itself where nothing is there. */
function withReal(path: string): string[] {
  const plain = resolve(path);
  return existsSync(plain) ? unique([plain, realpathSync(plain)]) : [plain];
}

/** Absolute folders of `PATH`, with what they lead to. A relative one would be another in each folder. */
export function pathFolders({ env }: Pick<FencePlace, "env">): string[] {
  const named = (env.PATH ?? "")
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && existsSync(folder));
  return unique(named.flatMap((folder) => [folder, realpathSync(folder)]));
}

/**
 * `…/node/bin` needs `…/node/lib`, too. In the home folder what else lies around it is the user's: `~/.fly/bin` has the
 * user's keys beside it, `~/dotfiles/bin` all of their settings.
 */
function installedAround(folder: string, home: string): string[] {
  const around = dirname(folder);
  const homes = withReal(home);
  const isOwn =
    folder.endsWith(`${sep}bin`) &&
    around.split(sep).length > 2 &&
    !homes.some((one) => isAtOrAbove(around, one) || around === join(one, ".local"));
  if (!isOwn) return [folder];
  if (!isBelowHome(around, home)) return [folder, around];
  if (homes.some((one) => toolChains.some((name) => isAtOrAbove(join(one, name), folder)))) return [folder];
  const more = neighboursByMark.filter(([mark]) => existsSync(join(around, mark)));
  return [
    folder,
    ...[neighbours, ...more.map(([, names]) => names)].flat().map((name) => join(around, name)),
  ];
}

/** What programs in a `bin` read beside it. */
const neighbours = "lib lib32 lib64 libexec share include pyvenv.cfg".split(" ");

/** Go's own packages: one is called `secret`. */
const isSourceOfGo = (path: string): boolean =>
  /^(src|pkg)$/.test(basename(path)) && existsSync(join(dirname(path), "pkg/tool"));

/** What some tool chains need besides, by what only they have: Go, Java, Maven. */
const neighboursByMark: readonly (readonly [mark: string, names: readonly string[]])[] = [
  ["pkg/tool", ["src", "pkg", "go.env", "VERSION"]],
  ["lib/modules", ["conf", "jmods", "release"]],
  ["bin/m2.conf", ["boot", "conf"]],
];

/** Whether `path` is `other`, or one of the folders above it. */
export function isAtOrAbove(path: string, other: string): boolean {
  const way = relative(path, other);
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

export const unique = (paths: readonly string[]): string[] => [...new Set(paths)];
