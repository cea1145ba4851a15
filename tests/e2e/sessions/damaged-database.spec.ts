import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { shots } from "../support/shots.ts";
import { expect, replies, send, test } from "../support/test.ts";

// Bug: with one damaged page nothing could be kept any more, nothing was copied, and nothing taken over.
test("a damaged database is set aside, and what could be read of it is there again while Parley works", async ({
  startWithModel,
}) => {
  const first = await startWithModel();
  await send(first.page, "a trip to Rome");
  await expect(replies(first.page)).toHaveCount(1);
  await first.close();

  const file = join(first.userData, "parley.db");
  // What the log has would mend what is damaged here.
  for (const part of ["-wal", "-shm"]) rmSync(`${file}${part}`, { force: true });
  const damaged = readFileSync(file).fill(0xa5, 0, 4096);
  writeFileSync(file, damaged);

  const second = await startWithModel({ home: first.home });
  const notice = second.page.getByRole("alert").filter({ hasText: "database was damaged" });
  await expect(notice).toContainText(
    "1 conversation with 2 messages could be read and is in a new database.",
  );
  await expect(notice).toContainText("The damaged file is kept: ");
  await shots(second.page, "damaged-database");
  const row = second.page.getByTestId("conversation-item").filter({ hasText: "a trip to Rome" });
  await row.click();
  await expect(replies(second.page)).toHaveCount(1);
  await send(second.page, "and to Naples");
  await expect(replies(second.page)).toHaveCount(2);
  await second.close();

  const [copy = ""] = readdirSync(first.userData).filter((name) => /^parley\.db\.damaged-[\d-]+$/.test(name));
  expect(readFileSync(join(first.userData, copy)).equals(damaged)).toBe(true);
  const third = await startWithModel({ home: first.home });
  await third.page.getByTestId("conversation-item").filter({ hasText: "a trip to Rome" }).click();
  await expect(replies(third.page)).toHaveCount(2);
  await expect(third.page.getByRole("alert").filter({ hasText: "damaged" })).toHaveCount(0);
});
