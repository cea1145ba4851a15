import { type AttackClass, python, read, shell, write } from "./attack.ts";

/** Swaps two entries for some seconds. */
const swap = (a: string, b: string) =>
  python(
    `import ctypes,time
l=ctypes.CDLL(None)
end=time.time()+2.5
while time.time()<end:
  for i in range(1000): l.renameat2(-100,b'${a}',-100,b'${b}',2)`,
  );
const many = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));

export const races: AttackClass = {
  name: "Races with a command that swaps links",
  attacks: [
    {
      id: "race-read",
      title: "read_file while a folder is swapped for a link",
      harm: "leak",
      needs: ["python3"],
      files: { "d/private.txt": "harmless\n" },
      links: { e: ".." },
      steps: [[shell(swap("d", "e")), ...many(150, () => read("d/private.txt"))]],
    },
    {
      id: "race-write",
      title: "write_file while a folder is swapped for a link",
      harm: "write",
      needs: ["python3"],
      files: { "d/a.txt": "harmless\n" },
      links: { e: ".." },
      steps: [[shell(swap("d", "e")), ...many(100, (i) => write(`d/pwned-${i}`))]],
    },
    {
      id: "race-list",
      title: "list_directory while a folder is swapped for a link",
      harm: "say",
      says: "private\\.txt",
      needs: ["python3"],
      files: { "d/a.txt": "harmless\n" },
      links: { e: ".." },
      steps: [
        [shell(swap("d", "e")), ...many(150, () => ({ name: "list_directory", input: { path: "d" } }))],
      ],
    },
    {
      id: "race-grep",
      title: "grep while a folder is swapped for a link",
      harm: "leak",
      needs: ["python3"],
      files: { "d/a.txt": "harmless\n" },
      links: { e: ".." },
      steps: [
        [
          shell(swap("d", "e")),
          ...many(30, () => ({ name: "grep", input: { pattern: "secret", path: "d" } })),
        ],
      ],
    },
    {
      id: "race-file",
      title: "read_file while a file is swapped for a link",
      harm: "leak",
      needs: ["python3"],
      files: { "n.txt": "harmless\n" },
      links: { "m.txt": "../private.txt" },
      steps: [[shell(swap("n.txt", "m.txt")), ...many(150, () => read("n.txt"))]],
    },
    {
      id: "race-edit",
      title: "edit_file while a file is swapped for a link",
      harm: "write",
      needs: ["python3"],
      files: { "n.txt": "secret\n" },
      links: { "m.txt": "../private.txt" },
      steps: [
        [
          shell(swap("n.txt", "m.txt")),
          ...many(100, () => ({
            name: "edit_file",
            input: { path: "n.txt", old_string: "secret", new_string: "secret " },
          })),
        ],
      ],
    },
  ],
};
