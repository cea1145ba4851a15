import { createHash } from "node:crypto";
import { copyFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import Libsql from "libsql";
import { migrations } from "../../../electron/store/migrations/migrations.ts";
import { shots } from "../support/shots.ts";
import { expect, replies, send, test } from "../support/test.ts";

const known = migrations.length;

test("a database of a newer version is refused in words that name the copy from before it, and stays as it is", async ({
  startWithModel,
}) => {
  const first = await startWithModel();
  await send(first.page, "a trip to Rome");
  await expect(replies(first.page)).toHaveCount(1);
  await first.close();

  // What a newer Parley does: it copies the file, then changes its tables.
  const file = join(first.userData, "parley.db");
  const copy = `${file}.before-v${known + 1}`;
  copyFileSync(file, copy);
  const database = new Libsql(file);
  database.exec(`CREATE TABLE later (id); UPDATE schema_version SET version = ${known + 1}`);
  database.close();
  const sum = () => createHash("sha256").update(readFileSync(file)).digest("hex");
  const before = sum();

  const second = await startWithModel({ home: first.home });
  const notice = second.page.getByRole("alert").filter({ hasText: "newer Parley" });
  await expect(notice).toContainText(
    `was written by a newer Parley (tables of version ${known + 1}; this one knows ${known}).`,
  );
  await expect(notice).toContainText("Install the newer Parley again. The file was not changed.");
  await expect(notice).toContainText(copy);
  await shots(second.page, "newer-database");
  // It is of use all the same, and says that nothing is kept.
  await send(second.page, "are you there");
  await expect(replies(second.page)).toHaveCount(1);
  await expect(notice).toContainText("Conversations are not kept");
  await second.close();
  expect(sum()).toBe(before);

  // The copy is one that this version reads.
  copyFileSync(copy, file);
  const third = await startWithModel({ home: first.home });
  await third.page.getByTestId("conversation-item").filter({ hasText: "a trip to Rome" }).click();
  await expect(replies(third.page)).toHaveCount(1);
});
