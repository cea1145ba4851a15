/** What the settings page and docs/settings.md say of a setting. Backticks mark code, as in Markdown. */
export interface SettingText {
  title: string;
  help: string;
  /** What the page says in place of `help`: plain words, without what is for the file alone. */
  short?: string;
  /** Of a number. */
  unit?: string;
  /** A text of several lines. */
  multiline?: boolean;
  /** It counts from the next start on; every other one at once. */
  atStart?: boolean;
}
