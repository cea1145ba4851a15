import { mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { KeysInTools, maxEntries } from "../../../../electron/fence/view/keys-in-tools.ts";
import { isSecretPath } from "../../../../shared/safety/secret-files.ts";

let place: string;
beforeEach(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), "tools-")));
});
afterEach(() => rmSync(place, { recursive: true }));

function put(path: string, text = ""): string {
  const file = join(place, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

describe("keys among programs", () => {
  test("are found by their names, at any depth, and settings by a token in them", async () => {
    const keys = [
      put("etc/npmrc"),
      put("a/b/c/d/server.pfx"),
      put("credentials"),
      put("config.toml", 'token = "cargo-0123456789"'),
    ];
    mkdirSync(join(place, "a/.aws"));
    for (const other of ["bin/gcloud", "bin/tool", "config", "a/secrets.py", "ssl/cert.pem"]) put(other);
    const found = await new KeysInTools(isSecretPath).below([place, join(place, "missing"), put("file")]);
    expect(found.toSorted()).toEqual([...keys, join(place, "a/.aws")].toSorted());
  });

  test("are found when they come, and gone when they go", async () => {
    const keys = new KeysInTools(isSecretPath);
    put("v1/bin/tool");
    expect(await keys.below([place])).toEqual([]);
    const key = put("v1/credentials");
    // Also where a computer's clock has no small parts of a second.
    utimesSync(dirname(key), new Date(), new Date(Date.now() + 5000));
    expect(await keys.below([place])).toEqual([key]);
    rmSync(key);
    expect(await keys.below([place])).toEqual([]);
  });

  test("the upper ones are found before the bound, however much lies below", async () => {
    const many = join(place, "a/many");
    mkdirSync(many, { recursive: true });
    for (let index = 0; index < maxEntries; index++) writeFileSync(join(many, String(index)), "");
    const [key, beyond] = [put("z/etc/npmrc"), put("z/a/b/c/etc/npmrc")];
    const found = await new KeysInTools(isSecretPath).below([place]);
    expect(found).toContain(key);
    expect(found).not.toContain(beyond);
  });
});
