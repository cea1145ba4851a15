import { describe, expect, test } from "vitest";
import { canonicalJson, outputHash } from "../../../../electron/agent/loop/canonical.ts";

describe("two outputs are the same", () => {
  test.each([
    ["made 2026-03-01", "made 2026-11-22"],
    ["at 2026-03-01T10:00Z", "at 2026-03-02T11:22Z"],
    ["at 2026-03-01 10:00:01", "at 2026-03-01 23:59:59"],
    ["at 2026-03-01 10:00:01,123", "at 2026-03-01 10:00:01,9"],
    ["at 2026-03-01T10:00:01.5+01:00", "at 2026-07-01T10:00:01.5+02:00"],
    ["at 2026-03-01 10:00:01 +0100", "at 2026-07-01 10:00:01 -0530"],
    ["Nov 1", "Dec  24"],
    ["on 1 Nov", "on 24. December"],
    ["Mon, 3 Feb 2026", "Tue, 14 Apr 2027"],
    ["Monday February 3, 2026", "Sunday January 14 2027"],
    ["Wed Mar 4", "Wednesday Jul 15"],
    ["Thu May 4", "Thurs, Aug 15"],
    ["SATURDAY 3 SEPTEMBER", "friday 14 october"],
    ["sat 3 June", "sun 3 June"],
    ["tues 3 June", "fri 13 June"],
    ["up since 9:05", "up since 19:56"],
    ["up since 12:00:01.25", "up since 12:00:02.5"],
    ["3:04 pm", "11:15 am"],
    ["3:04PM", "11:15 am"],
    ["at 1760000000", "at 1799999999"],
    ["at 1760000000.25", "at 1760000001.5"],
    ["at 1760000000123", "at 1799999999999"],
    ["in 12 ms", "in 1,25 s"],
    ["in 12ns", "in 7 us"],
    ["in 3 µs", "in 14 µs"],
    ["in 1 second", "in 30 seconds"],
    ["in 1 sec", "in 30 secs"],
    ["in 1 millisecond", "in 30 milliseconds"],
    ["in 1 minute", "in 12 minutes"],
    ["in 1 min", "in 12 mins"],
    ["in 1 hour", "in 12 hours"],
    ["in 1h 2m", "in 12h 34m"],
    ["in 1.5S", "in 0.25s"],
    ["PID 12 began", "PID 3456 began"],
    ["pid=12", "pid=3456"],
    ['{"ppid":12}', '{"ppid":3456}'],
    ["process 12 ended", "process 3456 ended"],
    ["process id: 12", "process id: 3456"],
    ["thread #12", "thread #3456"],
    ["(tid 12)", "(tid 3456)"],
    ["sshd[12]: no", "sshd[3456]: no"],
    ["a\n[1] 12\nb", "a\n[2] 3456\nb"],
  ])("%j and %j: only when it ran differs", (first, second) => {
    expect(outputHash(second)).toBe(outputHash(first));
  });

  test.each([
    ["3 tests failed", "13 tests failed"],
    ["3 mice", "4 mice"],
    ["room 12", "room 13"],
    ["ratio 16:9", "ratio 4:3"],
    ["version 1.2", "version 1.3"],
    ["2160000000 bytes", "2160000001 bytes"],
    ["17600000001 bytes", "17600000002 bytes"],
    ["a1760000000", "a1760000001"],
    ["x12 ms", "x13 ms"],
    ["rapid 12", "rapid 13"],
    ["12 items [3]", "12 items [4]"],
    ["[1] 12 of 40", "[2] 13 of 40"],
    ["see [1] 12", "see [1] 13"],
    ["list[]", "list[a]"],
    ["Decoded 5 frames", "Decoded 6 frames"],
    ["Marker 12", "Marker 13"],
    ["src/a.ts:10:12 no such name", "src/a.ts:14:15 no such name"],
    ["score 10:72", "score 11:72"],
    ["pid unknown", "ppid unknown"],
  ])("%j and %j: never, what was found differs", (first, second) => {
    expect(outputHash(second)).not.toBe(outputHash(first));
  });

  test("where they are long and differ in their middle only, but not in their length", () => {
    const long = (middle: string, end = "z") => `a${"x".repeat(100_000)}${middle}${"x".repeat(99_999)}${end}`;
    expect(outputHash(long("b"))).toBe(outputHash(long("c")));
    expect(outputHash(long("b"))).not.toBe(outputHash(long("bb")));
    expect(outputHash(long("b"))).not.toBe(outputHash(long("b", "y")));
    expect(outputHash(long("b"))).not.toBe(outputHash(`b${long("b").slice(1)}`));
    // Up to twice the ends' length all counts.
    const whole = (middle: string) => `${"x".repeat(100_000)}${middle}${"x".repeat(99_999)}`;
    expect(outputHash(whole("b"))).not.toBe(outputHash(whole("c")));
  });
});

describe("canonicalJson", () => {
  test("sorts the keys of objects at every depth, and leaves lists in their order", () => {
    expect(canonicalJson({ b: [{ d: 1, c: 2 }, null], a: "x" })).toBe('{"a":"x","b":[{"c":2,"d":1},null]}');
    expect(canonicalJson({ c: 1, a: 2, b: 3 })).toBe('{"a":2,"b":3,"c":1}');
    expect(canonicalJson(["b", "a"])).toBe('["b","a"]');
    expect(canonicalJson(null)).toBe("null");
  });
});
