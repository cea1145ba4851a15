/** The path as people write it: the home folder is `~`. */
export function withTilde(path: string, home: string): string {
  const rest = path.slice(home.length);
  return home !== "" && path.startsWith(home) && /^([/\\]|$)/.test(rest) ? `~${rest}` : path;
}
