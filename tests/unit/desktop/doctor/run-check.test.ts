import { expect, test } from "vitest";
import { Doctor } from "../../../../electron/desktop/doctor/doctor.ts";
import { printReport } from "../../../../electron/desktop/doctor/doctor-command.ts";
import { fixtureWords, heard } from "../../../../electron/desktop/doctor/hearing-checks.ts";
import { type Check, runCheck } from "../../../../electron/desktop/doctor/run-check.ts";
import { checkReport } from "../../../../shared/doctor.ts";

const options = { now: () => performance.now(), redact: (text: string) => text.replaceAll("sk-secret", "…") };
const check = (name: Check["name"], look: Check["look"], limitMs = 10_000): Check => ({
  name,
  limitMs,
  look,
  todo: "Do something.",
});
const fine = async () => ({ state: "ok" as const, found: "It works." });

test("a check that throws has failed, in the error's words, on one line and without secrets", async () => {
  const broken = check("voice", async () => {
    throw new Error("It broke:\n  sk-secret was refused");
  });
  expect(await runCheck(broken, options)).toMatchObject({
    name: "voice",
    state: "failed",
    found: "It broke: … was refused",
    todo: "Do something.",
  });
});

test("what an error says to do comes before what the check says", async () => {
  const broken = check("model", async () => {
    throw Object.assign(new Error("Refused."), { hint: "Change the key." });
  });
  expect((await runCheck(broken, options)).todo).toBe("Change the key.");
});

test("a check that never ends is ended by its limit, and told so", async () => {
  let wasTold = false;
  const endless = check(
    "loopback",
    (signal) =>
      new Promise(() => {
        signal.addEventListener("abort", () => {
          wasTold = true;
        });
      }),
    5,
  );
  expect(await runCheck(endless, options)).toMatchObject({ state: "failed", todo: "Do something." });
  expect(wasTold).toBe(true);
});

test("one that breaks or hangs hides none of the others; the report has all, and the exit code is 1", async () => {
  const doctor = new Doctor(
    [
      check("disk", fine),
      check("microphone", () => new Promise(() => {}), 5),
      check("fence", () => {
        throw new Error("No fence.");
      }),
      check("key", fine),
    ],
    options,
  );
  let printed = "";
  const code = await printReport(doctor, "Parley", (text) => {
    printed += text;
  });
  expect(code).toBe(1);
  const order = ["ok       Key", "FAILED   Microphone", "FAILED   Fence", "ok       Disk"];
  const places = order.map((line) => printed.indexOf(line));
  expect(places).toEqual([...places].sort((a, b) => a - b));
  expect(places.every((place) => place > 0)).toBe(true);
  expect(printed).toContain("2 of 4 checks failed.");
});

test("where nothing failed the exit code is 0, though something is limited", async () => {
  const limited = check("tray", async () => ({ state: "limited", found: "No tray.", todo: null }));
  const doctor = new Doctor([check("disk", fine), limited], options);
  expect(await printReport(doctor, "Parley", () => {})).toBe(0);
  expect(checkReport("Parley", await doctor.all())).toContain("Nothing failed. 1 of 2 checks are limited.");
});

test("a check that goes on is not begun twice", async () => {
  let begun = 0;
  const slow = check("model", async () => {
    begun += 1;
    return { state: "ok", found: "" };
  });
  const doctor = new Doctor([slow], options);
  await Promise.all([doctor.check("model"), doctor.check("model")]);
  expect(begun).toBe(1);
  await doctor.check("model");
  expect(begun).toBe(2);
});

test("half of the words have to be right, and another language is not compared", () => {
  expect(heard(fixtureWords, "en").state).toBe("ok");
  expect(heard("he was not an old man", "en-GB").state).toBe("ok");
  expect(heard("hello there", "en").state).toBe("failed");
  expect(heard("", "de").state).toBe("failed");
  expect(heard("er war nicht", "de").state).toBe("ok");
});
