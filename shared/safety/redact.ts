/** What stands in place of a secret. */
export const removed = "[secret removed]";

/**
 * Takes out what looks like a secret: keys by the form that their makers give them, what stands behind the name of one,
 * passwords in addresses. What merely could be one stays. Pure; takes time in proportion to the text.
 */
export function withoutSecrets(text: string): string {
  let result = text;
  for (const pattern of forms) result = result.replace(pattern, removed);
  // What stands before and after the secret stays.
  return result
    .replace(named, (whole, before: string, value: string) => (isHarmless(value) ? whole : before + removed))
    .replace(beforeHost, (whole, start: string, login: string) =>
      isSecretLogin(login) ? `${start}${removed}@` : whole,
    )
    .replace(inAddress, `$1${removed}@`)
    .replace(scheme, `$1 ${removed}`);
}

/** Whether it names a secret: `GITHUB_TOKEN`, `clientSecret`, “Your password”. */
export function namesSecret(name: string): boolean {
  const words = name
    .replaceAll(/([\p{Ll}\p{N}])(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .join(" ");
  return secretWords.test(words);
}

const secretWords =
  /\b(?:api ?keys?|keys?|secrets?|tokens?|pass(?:w(?:or)?ds?|phrases?|codes?)?|pwd|pw|credentials?|auth|authorization|pat|pins?|otp|totp|2fa|mfa|cv[cv]2?|ssn|iban|(?:card|account) (?:number|no))\b/;

/** Whether a key stands in it, by the form that its maker gives it. */
export const hasKeyForm = (text: string): boolean => forms.some((form) => text.search(form) >= 0);

/** Whether a password or a token stands in an address: `https://me:password@host`, `https://token@host`. */
export const hasSecretAddress = (text: string): boolean =>
  passwordInAddress.test(text) ||
  [...text.matchAll(beforeHost)].some(([, , login = ""]) => isSecretLogin(login));

const passwordInAddress = /[a-z][a-z0-9+.-]*:\/\/[^\s/@]*:[^\s/@]+@/i;

/** What stands before the host of a web address. */
const beforeHost = /(\bhttps?:\/\/)([^\s/?#"'<>`\\]+)@/gi;

/** Fewer letters and digits are a name: `git@`. */
const leastToken = 16;

/** A token alone may be the name, with or without an empty password behind it. */
const isSecretLogin = (login: string): boolean =>
  login.includes(":") || (login.match(/[a-z\d]/gi)?.length ?? 0) >= leastToken;

const forms: readonly RegExp[] = [
  /\b(?:sk|pk|rk)[-_][A-Za-z0-9][A-Za-z0-9_-]{14,}/g,
  /\bAIza[0-9A-Za-z_-]{30,}/g,
  /\b(?:gh[oprsu]_[A-Za-z0-9]{20,}|github_pat_\w{20,}|glpat-[\w-]{16,})/g,
  /\bxox[abeoprs]-[\w-]{10,}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\b(?:hf|npm|gsk|xai)[_-][A-Za-z0-9]{20,}/g,
  // Where another one begins is tried again: reading a long row of beginnings from each of them would take seconds.
  /\beyJ(?:(?!-eyJ)[\w-]){10,4000}\.[\w-]{10,4000}\.[\w-]{0,4000}/g,
  /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]{0,30}PRIVATE KEY-----|$)/g,
];

/** `API_KEY=…`, `"clientSecret": "…"`, `x-api-key: …`. */
const named =
  /((?:api[-_]?key|secret|token|passw(?:or)?d|passphrase|credential|private[-_]?key|access[-_]?key)\\?["']?\s*[:=]\s*\\?["']?)([^\s"'\\,;&}\])]{6,})/gi;

const inAddress = /(\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s:/@]{0,200}:)[^\s/@]{1,500}@/gi;

const scheme = /\b(bearer|basic)\s+[A-Za-z0-9+/._~=-]{12,}/gi;

/** A number, a variable in its place, or what has been taken out already. */
const isHarmless = (value: string) => /^(?:[\d.]+$|\$|\[secret|null$|undefined$|true$|false$)/.test(value);
