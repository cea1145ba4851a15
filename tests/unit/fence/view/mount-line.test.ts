import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { type MountChanges, withMounts } from "../../../../electron/fence/view/mount-line.ts";

const changes: MountChanges = {
  empty: "/t/empty",
  unreadable: "/t/none",
  kept: [],
  replaced: [],
  home: "/home/me",
  folder: "/srv/work",
  variables: {},
};
/** What stands before the devices, and what behind. */
const line = (options: string, rest = "--proc /proc -- sh -c 'x y'") => `bwrap${options} --dev /dev ${rest}`;
const mounts = (options: string, more: Partial<MountChanges> = {}) =>
  withMounts(line(options), { ...changes, ...more });
const proc = "--proc /proc --ro-bind /proc/sys /proc/sys -- sh -c 'x y'";
/** What is made of it: every fence has these namespaces. */
const made = (options: string, rest = proc) =>
  line(`${options} --unshare-ipc --unshare-uts --unshare-cgroup-try`, rest);

test("what is hidden is an empty file, and no device", () => {
  expect(mounts(" --ro-bind /dev/null /w/.env --ro-bind /dev/null '/w/a b'")).toBe(
    made(" --ro-bind /t/empty /w/.env --ro-bind /t/empty '/w/a b'"),
  );
  // The command itself says what it wants.
  const command = withMounts(line("", "-- sh -c '--ro-bind /dev/null x'"), changes);
  expect(command).toBe(made("", "-- sh -c '--ro-bind /dev/null x'"));
});

test("what is hidden and kept by git cannot be read, however its path is written", () => {
  const hidden = " --ro-bind /dev/null /w/.env --ro-bind /dev/null '/w/a b' --ro-bind /dev/null /w/.env2";
  expect(mounts(hidden, { kept: ["/w/.env", "/w/a b", "/w/$&"] })).toBe(
    made(" --ro-bind /t/none /w/.env --ro-bind /t/none '/w/a b' --ro-bind /t/empty /w/.env2"),
  );
  const odd = " --ro-bind /dev/null '/w/$&'";
  expect(mounts(odd, { kept: ["/w/$&"] })).toBe(made(" --ro-bind /t/none '/w/$&'"));
});

// Bug: the library hides a file once more behind a folder that it binds over it, and the second one was read as empty.
test("so it is wherever it is hidden again", () => {
  const twice = " --ro-bind /dev/null /w/a/.env --ro-bind /w/a /w/a --ro-bind /dev/null /w/a/.env";
  expect(mounts(twice, { kept: ["/w/a/.env"] })).toBe(
    made(" --ro-bind /t/none /w/a/.env --ro-bind /w/a /w/a --ro-bind /t/none /w/a/.env"),
  );
});

test("other files are read in the place of some", () => {
  const replaced = [
    { path: "/w/.npmrc", by: "/t/settings 0" },
    { path: "/w/b", by: "/t/1" },
  ];
  expect(mounts("", { replaced })).toBe(made(" --ro-bind '/t/settings 0' /w/.npmrc --ro-bind /t/1 /w/b"));
});

test("variables that the loader and the shell obey are for the inside alone", () => {
  expect(mounts("", { variables: { LD_LIBRARY_PATH: ":/a b", BASH_ENV: "$(x)" } })).toBe(
    made(" --setenv LD_LIBRARY_PATH ':/a b' --setenv BASH_ENV '$(x)'"),
  );
});

test("an emptied home folder is read-only, unless the working folder is around it", () => {
  expect(mounts(" --tmpfs /home")).toBe(made(" --tmpfs /home --remount-ro /home"));
  expect(mounts(" --tmpfs /home --dir /x", { folder: "/home/me/work" })).toBe(
    made(" --tmpfs /home --dir /x --remount-ro /home"),
  );
  expect(mounts(" --tmpfs /home", { folder: "/" })).toBe(made(" --tmpfs /home"));
  expect(mounts(" --tmpfs /homes")).toBe(made(" --tmpfs /homes"));
});

test("the fence stays in the session that it is started in", () => {
  expect(mounts(" --new-session --die-with-parent")).toBe(made(" --die-with-parent"));
});

test("a line of another form is refused", () => {
  const other = "bwrap --ro-bind /dev/null /w/.env -- sh";
  expect(() => withMounts(other, changes)).toThrow("another command line");
});

/** What a shell makes of a line, by a shell. */
const words = (command: string) =>
  execFileSync("/bin/bash", ["-c", `printf '%s\\0' ${command}`], { encoding: "utf8" })
    .split("\0")
    .slice(0, -1);
const quote = (word: string) => (/^[\w./:@+,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'"'"'`)}'`);

// Bug: a folder of the repository with this name had the line cut inside its quotes, and what was in the next name ran.
test.each([
  ["the end of the mounts", "/w/x --dev /dev y/.env"],
  ["a hidden file", "/w/x --ro-bind /dev/null y/.env"],
  ["the session", "/w/x --new-session y/.env"],
  ["the processes", "/w/x --proc /proc y/.env"],
  ["the command", "/w/x -- y/.env"],
  ["quotes", `/w/a'b"c'' "'"' d/.env`],
  ["lines", "/w/a\nb\n--dev /dev \n/.env"],
])("a name that looks like %s stays a name", (_, name) => {
  const evil = "/w/a$(touch /tmp/parley-was-here)b`id`/.npmrc";
  const command = `echo ' --dev /dev ' "--ro-bind /dev/null"`;
  const options = ["--new-session", "--ro-bind", "/dev/null", name, "--setenv", "X", "--dev"];
  const rest = ["--dev", "/dev", "--unshare-pid", "--proc", "/proc", "--", "sh", "-c", command];
  const before = ["bwrap", ...options, ...rest].map(quote).join(" ");
  expect(words(before)).toEqual(["bwrap", ...options, ...rest]);
  const after = withMounts(before, { ...changes, kept: [name], replaced: [{ path: evil, by: "/t/1" }] });
  expect(words(after)).toEqual([
    ...["bwrap", "--ro-bind", "/t/none", name, "--setenv", "X", "--dev", "--ro-bind", "/t/1", evil],
    ...["--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try", "--dev", "/dev", "--unshare-pid"],
    ...["--proc", "/proc", "--ro-bind", "/proc/sys", "/proc/sys", "--", "sh", "-c", command],
  ]);
});

test("where most options are in a file, those on the line are changed the same way", () => {
  const line = `/bin/sh -c 'exec 3<"$1" && shift && exec "$@"' srt-args /proc/1/fd/3 bwrap --args 3 --dev /dev --proc /proc -- sh -c 'echo " --dev /dev "'`;
  expect(words(withMounts(line, changes)).slice(5)).toEqual([
    ...["bwrap", "--args", "3", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try", "--dev", "/dev"],
    ...["--proc", "/proc", "--ro-bind", "/proc/sys", "/proc/sys", "--", "sh", "-c", 'echo " --dev /dev "'],
  ]);
});

test.each([
  ["an unknown option", "bwrap --overlay-src /a --dev /dev -- sh"],
  ["an open quote", "bwrap --ro-bind '/a /b --dev /dev -- sh"],
  ["an expansion", "bwrap --ro-bind $HOME /b --dev /dev -- sh"],
  ["two commands", "bwrap --dev /dev -- sh; id"],
  ["no command", "bwrap --dev /dev"],
  ["an option without its arguments", "bwrap --dev /dev --ro-bind -- sh"],
])("a line with %s is refused", (_, line) => {
  expect(() => withMounts(line, changes)).toThrow("another command line");
});
