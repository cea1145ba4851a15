import { join } from "node:path";

/** Variables by which tools find their caches, each in a folder of its own below one. */
const caches: Readonly<Record<string, string>> = {
  XDG_CACHE_HOME: "xdg",
  npm_config_cache: "npm",
  YARN_CACHE_FOLDER: "yarn",
  YARN_GLOBAL_FOLDER: "yarn-global",
  pnpm_config_store_dir: "pnpm",
  BUN_INSTALL_CACHE_DIR: "bun",
  DENO_DIR: "deno",
  PIP_CACHE_DIR: "pip",
  UV_CACHE_DIR: "uv",
  POETRY_CACHE_DIR: "poetry",
  CARGO_HOME: "cargo",
  GOCACHE: "go-build",
  GOMODCACHE: "go-mod",
  GRADLE_USER_HOME: "gradle",
  NUGET_PACKAGES: "nuget",
  COMPOSER_CACHE_DIR: "composer",
  BUNDLE_USER_CACHE: "bundle",
  CCACHE_DIR: "ccache",
  COREPACK_HOME: "corepack",
  XDG_STATE_HOME: "state",
  npm_config_logs_dir: "npm-logs",
  DOTNET_CLI_HOME: "dotnet",
  COMPOSER_HOME: "composer-home",
};

/** Git as the user set it up, as far as that says who they are; and nothing that runs. */
export interface GitIdentity {
  name: string | null;
  email: string | null;
  defaultBranch: string | null;
  /** What the user wants to be ignored everywhere, as lines of a `.gitignore`. */
  ignored: string;
}

/**
 * Variables by which the loader of programs, the C library and the shell read files, or run what they say: before the fence
 * stands they would act for whoever may write there. Sources: ld.so(8), bash(1).
 */
const obeyedOutside =
  /^(?:LD_.*|DYLD_.*|BASH_.*|ENV|SHELLOPTS|BASHOPTS|PS4|PROMPT_COMMAND|CDPATH|GLOBIGNORE|GLIBC_TUNABLES|GCONV_PATH|GETCONF_DIR|LOCPATH|NLSPATH|MALLOC_.*|HOSTALIASES|LOCALDOMAIN|RES_OPTIONS|RESOLV_.*|NIS_PATH)$/;

/** What the programs get that make the fence, and what only those inside get. */
export function splitEnvironment(env: Readonly<Record<string, string>>): {
  outside: Record<string, string>;
  inside: Record<string, string>;
} {
  const isInside = ([name]: [string, string]) => obeyedOutside.test(name);
  const all = Object.entries(env);
  return {
    outside: Object.fromEntries(all.filter((one) => !isInside(one))),
    inside: Object.fromEntries(all.filter(isInside)),
  };
}

/**
 * What a fenced command's environment has besides what was passed on: caches of its own, and git settings.
 * @param env as it is passed on
 */
export function fencedEnvironment(
  env: Readonly<Record<string, string>>,
  {
    cache,
    git,
    isRoot,
    ignoreFile,
    npmFile,
  }: { cache: string; git: GitIdentity; isRoot: boolean; ignoreFile: string; npmFile: string },
): Record<string, string> {
  const ownCaches = Object.entries(caches).map(([name, folder]) => [name, join(cache, folder)]);
  const settings: [string, string | null][] = [
    ["safe.bareRepository", "explicit"],
    ["core.fsmonitor", "false"],
    // What is hidden reads as empty, and would be added as empty.
    ["core.excludesFile", ignoreFile],
    ["user.name", git.name],
    ["user.email", git.email],
    ["init.defaultBranch", git.defaultBranch],
    // Its own would go on after the command, and can be started at the next one.
    ["gc.autoDetach", "false"],
    ["maintenance.autoDetach", "false"],
  ];
  const known = settings.filter((pair): pair is [string, string] => pair[1] !== null);
  return {
    ...env,
    ...Object.fromEntries(ownCaches),
    MAVEN_ARGS: `-Dmaven.repo.local=${join(cache, "maven")}`,
    GIT_CONFIG_COUNT: String(known.length),
    ...Object.fromEntries(
      known.flatMap(([key, value], index) => [
        [`GIT_CONFIG_KEY_${index}`, key],
        [`GIT_CONFIG_VALUE_${index}`, value],
      ]),
    ),
    // Root may not give files away in there; whatever unpacks as root would try.
    ...(isRoot && { TAR_OPTIONS: "--no-same-owner" }),
    npm_config_update_notifier: "false",
    // In place of the user's own, which may hold passwords.
    npm_config_userconfig: npmFile,
  };
}
