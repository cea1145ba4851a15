/**
 * Files that hold keys and passwords by their name, whatever the rules say: they are read and changed only after the
 * user's word. Names are compared without case, and as Windows and macOS would find them.
 */
export function isSecretPath(path: string): boolean {
  const parts = folded(path)
    .split(/[\\/]+/)
    .map((part) => part.replace(/:.*$/, "").replace(/[. ]+$/, ""));
  const name = parts.at(-1) ?? "";
  if (isHarmless.test(name)) return false;
  return parts.some((part) => secretFolders.has(part)) || secretNames.some((pattern) => pattern.test(name));
}

/** Whether a pattern for file names asks for such files: `.env*`, `keys/*.pem`; not `*`, which asks for all alike. */
export function seeksSecrets(pattern: string): boolean {
  return alternatives(pattern).some(seeks);
}

function seeks(pattern: string): boolean {
  if (isSecretPath(pattern)) return true;
  const name =
    folded(pattern)
      .split(/[\\/]+/)
      .at(-1) ?? "";
  if (!/[*?[(]/.test(name) || /^[*?.]+$/.test(name)) return false;
  // What stands in brackets or parentheses may be anything: stricter, and enough here.
  const loose = name.replace(/[[(][^\])]*[\])]?/g, "*").replace(/[.+^$|\\\])}{]/g, "\\$&");
  const fits = new RegExp(`^${loose.replace(/\*+/g, ".*").replaceAll("?", ".")}$`);
  return samples.some((sample) => fits.test(sample));
}

/** `{a,b}c` is `ac` and `bc`. */
function alternatives(pattern: string, left = 5): string[] {
  const braces = /\{([^{}]*)\}/.exec(pattern);
  if (!braces || left === 0) return [pattern];
  const [whole, inner = ""] = braces;
  return inner.split(",").flatMap((part) =>
    alternatives(
      pattern.replace(whole, () => part),
      left - 1,
    ),
  );
}

/** One form for what file systems take for the same: case, composed letters, compatible forms. */
export const folded = (path: string): string => path.normalize("NFKC").toLowerCase().normalize("NFKC");

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
  "{.ssh,.gnupg,.aws,.azure,.kube,.docker,.gcloud,gcloud,.password-store,keychains}/**",
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
];
