import { expect, test } from "vitest";
import { type MountChanges, withMounts } from "../../../../electron/fence/view/mount-line.ts";

const changes: MountChanges = {
  empty: "/t/empty",
  unreadable: "/t/none",
  kept: [],
  replaced: [],
  home: "/home/me",
  folder: "/srv/work",
};
/** What stands before the devices, and what behind. */
const line = (options: string, rest = "--proc /proc -- sh -c 'x'") => `bwrap${options} --dev /dev ${rest}`;
const mounts = (options: string, more: Partial<MountChanges> = {}) =>
  withMounts(line(options), { ...changes, ...more });
const proc = "--proc /proc --ro-bind /proc/sys /proc/sys -- sh -c 'x'";
/** What is made of it: every fence has these namespaces. */
const made = (options: string, rest = proc) =>
  line(`${options} --unshare-ipc --unshare-uts --unshare-cgroup-try`, rest);

test("what is hidden is an empty file, and no device", () => {
  expect(mounts(" --ro-bind /dev/null /w/.env --ro-bind /dev/null '/w/a b'")).toBe(
    made(" --ro-bind '/t/empty' /w/.env --ro-bind '/t/empty' '/w/a b'"),
  );
  // The command itself says what it wants.
  const command = withMounts(line("", "-- sh -c '--ro-bind /dev/null x'"), changes);
  expect(command).toBe(made("", "-- sh -c '--ro-bind /dev/null x'"));
});

test("what is hidden and kept by git cannot be read, however its path is written", () => {
  const hidden = " --ro-bind /dev/null /w/.env --ro-bind /dev/null '/w/a b' --ro-bind /dev/null /w/.env2";
  expect(mounts(hidden, { kept: ["/w/.env", "/w/a b", "/w/$&"] })).toBe(
    made(" --ro-bind '/t/none' /w/.env --ro-bind '/t/none' '/w/a b' --ro-bind '/t/empty' /w/.env2"),
  );
  const odd = " --ro-bind /dev/null '/w/$&'";
  expect(mounts(odd, { kept: ["/w/$&"] })).toBe(made(" --ro-bind '/t/none' '/w/$&'"));
});

// Bug: the library hides a file once more behind a folder that it binds over it, and the second one was read as empty.
test("so it is wherever it is hidden again", () => {
  const twice = " --ro-bind /dev/null /w/a/.env --ro-bind /w/a /w/a --ro-bind /dev/null /w/a/.env";
  expect(mounts(twice, { kept: ["/w/a/.env"] })).toBe(
    made(" --ro-bind '/t/none' /w/a/.env --ro-bind /w/a /w/a --ro-bind '/t/none' /w/a/.env"),
  );
});

test("other files are read in the place of some", () => {
  const replaced = [
    { path: "/w/.npmrc", by: "/t/settings 0" },
    { path: "/w/b", by: "/t/1" },
  ];
  expect(mounts("", { replaced })).toBe(
    made(" --ro-bind '/t/settings 0' '/w/.npmrc' --ro-bind '/t/1' '/w/b'"),
  );
});

test("an emptied home folder is read-only, unless the working folder is around it", () => {
  expect(mounts(" --tmpfs /home")).toBe(made(" --tmpfs /home --remount-ro '/home'"));
  expect(mounts(" --tmpfs /home --x", { folder: "/home/me/work" })).toBe(
    made(" --tmpfs /home --x --remount-ro '/home'"),
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
