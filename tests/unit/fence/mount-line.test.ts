import { expect, test } from "vitest";
import { type MountChanges, withMounts } from "../../../electron/fence/view/mount-line.ts";

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

test("what is hidden is an empty file, and no device", () => {
  expect(mounts(" --ro-bind /dev/null /w/.env --ro-bind /dev/null '/w/a b'")).toBe(
    line(" --ro-bind '/t/empty' /w/.env --ro-bind '/t/empty' '/w/a b'", proc),
  );
  // The command itself says what it wants.
  const command = withMounts(line("", "-- sh -c '--ro-bind /dev/null x'"), changes);
  expect(command).toBe(line("", "-- sh -c '--ro-bind /dev/null x'"));
});

test("what is hidden and kept by git cannot be read, however its path is written", () => {
  const hidden = " --ro-bind /dev/null /w/.env --ro-bind /dev/null '/w/a b' --ro-bind /dev/null /w/.env2";
  expect(mounts(hidden, { kept: ["/w/.env", "/w/a b", "/w/$&"] })).toBe(
    line(" --ro-bind '/t/none' /w/.env --ro-bind '/t/none' '/w/a b' --ro-bind '/t/empty' /w/.env2", proc),
  );
  const odd = " --ro-bind /dev/null '/w/$&'";
  expect(mounts(odd, { kept: ["/w/$&"] })).toBe(line(" --ro-bind '/t/none' '/w/$&'", proc));
});

// Bug: the library hides a file once more behind a folder that it binds over it, and the second one was read as empty.
test("so it is wherever it is hidden again", () => {
  const twice = " --ro-bind /dev/null /w/a/.env --ro-bind /w/a /w/a --ro-bind /dev/null /w/a/.env";
  expect(mounts(twice, { kept: ["/w/a/.env"] })).toBe(
    line(" --ro-bind '/t/none' /w/a/.env --ro-bind /w/a /w/a --ro-bind '/t/none' /w/a/.env", proc),
  );
});

test("other files are read in the place of some", () => {
  const replaced = [
    { path: "/w/.npmrc", by: "/t/settings 0" },
    { path: "/w/b", by: "/t/1" },
  ];
  expect(mounts("", { replaced })).toBe(
    line(" --ro-bind '/t/settings 0' '/w/.npmrc' --ro-bind '/t/1' '/w/b'", proc),
  );
});

test("an emptied home folder is read-only, unless the working folder is around it", () => {
  expect(mounts(" --tmpfs /home")).toBe(line(" --tmpfs /home --remount-ro '/home'", proc));
  expect(mounts(" --tmpfs /home --x", { folder: "/home/me/work" })).toBe(
    line(" --tmpfs /home --x --remount-ro '/home'", proc),
  );
  expect(mounts(" --tmpfs /home", { folder: "/" })).toBe(line(" --tmpfs /home", proc));
  expect(mounts(" --tmpfs /homes")).toBe(line(" --tmpfs /homes", proc));
});

test("a line of another form stays as it is", () => {
  const other = "bwrap --ro-bind /dev/null /w/.env -- sh";
  expect(withMounts(other, { ...changes, replaced: [{ path: "/a", by: "/b" }] })).toBe(other);
});
