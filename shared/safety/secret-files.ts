import { maxGlobChars, readGlob } from "./globs.ts";

/**
 * Files that hold keys and passwords by their name, whatever the rules say: they are read and changed only after the
 * user's word. Names are compared without case, and as Windows and macOS would find them.
 */
export function isSecretPath(path: string): boolean {
  const parts = foldedNames(path);
  const name = parts.at(-1) ?? "";
  if (isHarmless.test(name)) return false;
  return (
    parts.some((part) => secretFolders.has(part)) ||
    secretNames.some((pattern) => pattern.test(name)) ||
    secretPlaces.some((place) => endsWith(parts, place))
  );
}

const endsWith = (parts: readonly string[], place: readonly string[]) =>
  place.every((name, index) => parts[parts.length - place.length + index] === name);

/** Whether a pattern for file names asks for such files: `.env*`, `keys/*.pem`; not `*`, which asks for all alike. */
export function seeksSecrets(pattern: string): boolean {
  if (pattern.length > maxGlobChars) return true;
  const all = alternatives(pattern);
  return all === null || all.some(seeks);
}

function seeks(pattern: string): boolean {
  if (isSecretPath(pattern)) return true;
  const name = foldedNames(pattern).at(-1) ?? "";
  if (!/[*?[(]/.test(name) || /^[*?.]+$/.test(name)) return false;
  // What stands in brackets or parentheses may be anything: stricter, and enough here.
  const { fits } = readGlob(name.replace(/[[(][^\])]*[\])]?/g, "*").replace(/\*+/g, "*"));
  return samples.some(fits);
}

/** `{a,b}c` is `ac` and `bc`. @returns null where there are more than anybody means */
export function alternatives(pattern: string): string[] | null {
  let all = [pattern];
  let left = mostAlternativeChars;
  while (all.some((one) => braces.test(one))) {
    const next: string[] = [];
    for (const one of all) {
      const [whole = "", inner] = braces.exec(one) ?? [];
      const parts = inner?.split(",") ?? [""];
      left -= one.length * parts.length;
      if (next.length + parts.length > mostAlternatives || left < 0) return null;
      next.push(...parts.map((part) => one.replace(whole, () => part)));
    }
    all = next;
  }
  return all;
}

const braces = /\{([^{}]*)\}/;
const mostAlternatives = 500;
/** UTF-16 units of all that is taken apart on the way to them. */
const mostAlternativeChars = 1_000_000;

/** One form for what file systems take for the same: case, composed letters, compatible forms, signs without a width. */
export const folded = (path: string): string =>
  path
    .normalize("NFKC")
    .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
    .toLowerCase()
    .normalize("NFKC");

/** The names on a path, as file systems compare them: without streams, and dots and blanks at their ends. */
export const foldedNames = (path: string): string[] =>
  folded(path)
    .split(/[\\/]+/)
    .map((part) => withoutStream(part).replace(/(?<=[^. ])[. ]+$/, ""));

function withoutStream(name: string): string {
  const colon = name.indexOf(":", 1);
  return colon < 0 ? name : name.slice(0, colon);
}

const isHarmless = /^\.env\.(example|sample|template|dist)$|^id_[a-z0-9_-]+\.example$/;

const secretFolders: ReadonlySet<string> = new Set([
  ".ssh",
  ".gnupg",
  ".aws",
  ".azure",
  ".kube",
  ".docker",
  ".gcloud",
  "gcloud",
  ".password-store",
  "keychains",
]);

const secretNames: readonly RegExp[] = [
  /^\.env(\..+|rc)?$/,
  /\.env$/,
  /\.(pem|key|p12|pfx|pkcs12|jks|keystore|kdbx|ovpn|asc|gpg|ppk)$/,
  /^id_(rsa|dsa|ecdsa|ed25519)/,
  /^[._]netrc$/,
  /^\.(npmrc|yarnrc|pypirc|pgpass|my\.cnf|git-credentials|htpasswd|dockercfg|vault-token|s3cfg|boto)$/,
  /^(credentials?|secrets?)(\.[a-z0-9]+)*$/,
  /^service[-_]account.*\.json$/,
  /^client_secret.*\.json$/,
  /^(kubeconfig|shadow|master\.passwd)$/,
  /^(login|cookies|key[34])(\.db|\.sqlite)$/,
  /^logins(-backup)?\.json$/,
  /^(auth|oauth_creds|\.credentials)\.json$/,
  /^\.[a-z_]*(history|_hist)$/,
  /^(\.viminfo|fish_history|consolehost_history\.txt)$/,
  /\.tfstate(\.backup)?$/,
  /\.(tfvars|kdb|mobileprovision)$/,
];

/** Where a name alone says nothing. `.git/config` may hold an address with a password. */
const secretPlaces: readonly (readonly string[])[] = [
  [".git", "config"],
  ["etc", "npmrc"],
  ["gh", "hosts.yml"],
  [".cargo", "credentials.toml"],
  [".gem", "credentials"],
  [".m2", "settings.xml"],
  [".composer", "auth.json"],
  ["rclone", "rclone.conf"],
];

/** The same for a program that takes globs, case aside. */
export const secretGlobs: readonly string[] = [
  ".env",
  ".env.*",
  "*.env",
  "*.{pem,key,p12,pfx,pkcs12,jks,keystore,kdbx,ovpn,asc,gpg,ppk}",
  "id_{rsa,dsa,ecdsa,ed25519}*",
  "[._]netrc",
  ".{npmrc,yarnrc,pypirc,pgpass,my.cnf,git-credentials,htpasswd,dockercfg,vault-token,s3cfg,boto}",
  "{credential,secret}",
  "{credentials,secrets}",
  "{credential,credentials,secret,secrets}.*",
  "service[-_]account*.json",
  "client_secret*.json",
  "{kubeconfig,shadow,master.passwd}",
  "{login,cookies,key3,key4}.{db,sqlite}",
  "{logins,logins-backup,auth,oauth_creds,.credentials}.json",
  ".*{history,_hist}",
  "{.viminfo,fish_history,consolehost_history.txt}",
  "*.{tfstate,tfstate.backup,tfvars,kdb,mobileprovision}",
  "**/.git/config",
  "**/{etc/npmrc,gh/hosts.yml,.cargo/credentials.toml,.gem/credentials,.m2/settings.xml,rclone/rclone.conf}",
  // With a slash in it a glob counts from where the search begins: these folders may lie anywhere.
  "**/{.ssh,.gnupg,.aws,.azure,.kube,.docker,.gcloud,gcloud,.password-store,keychains}/**",
];

const samples: readonly string[] = [
  ".env",
  ".env.local",
  "prod.env",
  "server.pem",
  "server.key",
  "id_rsa",
  "id_ed25519",
  ".netrc",
  ".npmrc",
  "credentials",
  "credentials.json",
  "secrets.yaml",
  "secret",
  "auth.json",
  "logins.json",
  ".bash_history",
  "terraform.tfstate",
];
