import type { Rule } from "./rules.ts";

const names: ReadonlyMap<string, string> = new Map(
  "Ctrl:Control Control:Control Cmd:Command Command:Command Alt:Alt AltGr:Alt Gr Option:Option Opt:Option Shift:Shift Meta:Meta Super:Super Win:Windows Fn:function Esc:Escape Escape:Escape Del:Delete Delete:Delete Ins:Insert Enter:Enter Return:Return Tab:Tab Space:Space Backspace:Backspace PgUp:page up PgDn:page down Home:Home End:End Up:Up Down:Down Left:Left Right:Right Click:click click:click"
    .split(/ (?=\w+:)/)
    .map((pair): [string, string] => {
      const [name = "", said = ""] = pair.split(":");
      return [name, said];
    }),
);
const modifiers = "Ctrl|Control|Cmd|Command|AltGr|Alt|Option|Opt|Shift|Meta|Super|Win|Fn";
const key = `(?:${[...names.keys()].join("|")}|F\\d{1,2}|[A-Za-z0-9]|[+,./;=\`-])`;

const signs: ReadonlyMap<string, string> = new Map([
  ["⌘", "Command"],
  ["⌥", "Option"],
  ["⇧", "Shift"],
  ["⌃", "Control"],
  ["+", "plus"],
  ["-", "minus"],
  [",", "comma"],
  [".", "dot"],
  ["/", "slash"],
  [";", "semicolon"],
  ["=", "equals"],
  ["`", "backtick"],
]);

const said = (name: string): string => names.get(name) ?? signs.get(name) ?? name.toUpperCase();

export const keys: readonly Rule[] = [
  [/<\/?kbd>/g, ""],
  [
    new RegExp(`\\b(?:(?:${modifiers}) ?[+-] ?){1,4}${key}(?![\\w])`, "g"),
    (found) => {
      const last = /[+,./;=`-]$/.exec(found)?.[0] ?? "";
      const pressed = (last === "" ? found : found.slice(0, -1)).split(/ ?[+-] ?/).filter(Boolean);
      return [...pressed, ...(last === "" ? [] : [last])].map(said).join(" ");
    },
  ],
  [
    /([⌘⌥⇧⌃]{1,4})(?: ?\+? ?([A-Za-z0-9,./;](?!\w)))?/g,
    (_, modifier = "", last = "") => [...modifier, ...(last === "" ? [] : [last])].map(said).join(" "),
  ],
];
