import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { numbersInWords } from "../../../../../shared/voice/said/numbers.ts";
import { saidAs } from "../../../../../shared/voice/said/said-as.ts";

/** What is written, and what a voice gets of it. */
const rows: Record<string, [written: string, said: string][]> = {
  "signs and ranges": [
    ["It fell by −5 % and cost −$20.", "It fell by minus 5 percent and cost minus 20 dollars."],
    ["Pages 10–12", "Pages 10 to 12"],
    ["10–12 €", "10 to 12 euros"],
    ["From 2019–2024.", "From 2019 to 2024."],
    ["2019-2024", "2019 to 2024"],
    ["2024-25", "2024 to 25"],
    ["-5 to -2", "minus 5 to minus 2"],
    ["(−5)", "(minus 5)"],
    ["±5%", "plus or minus 5 percent"],
    ["100%", "100 percent"],
    ["10%–12%", "10 percent to 12 percent"],
    ["10-15 minutes", "10 to 15 minutes"],
    ["chapter 3-4", "chapter 3 to 4"],
    ["A-Z", "A to Z"],
    ["Mon–Fri", "Monday to Friday"],
    ["18+ only", "18 plus only"],
    ["scale 1:50", "scale 1 to 50"],
    ["The ratio is 16:9.", "The ratio is 16 to 9."],
    ["3:1", "3 to 1"],
    ["10 - 12 people", "10 to 12 people"],
    ["1st–3rd", "1st to 3rd"],
    ["2024–present", "2024 to present"],
    ["Jan–Mar 2024", "January to March 2024"],
    ["It rose +5%.", "It rose plus 5 percent."],
  ],
  mathematics: [
    ["5 × 3 ÷ 2 ≈ 7.5 ± 0.1", "5 times 3 divided by 2 is about 7.5 plus or minus 0.1"],
    ["3 - 1 = 2", "3 minus 1 equals 2"],
    ["2 + 2 = 4", "2 plus 2 equals 4"],
    ["a = b", "a equals b"],
    ["5 > 3", "5 greater than 3"],
    ["a < b", "a less than b"],
    ["If it is <3.", "If it is less than 3."],
    ["x^2 + y^2", "x squared plus y squared"],
    ["10⁻⁶", "10 to the minus 6"],
    ["1e-6", "1 times 10 to the minus 6"],
    ["x²", "x squared"],
    ["√2", "the square root of 2"],
    ["π is 3.14", "pi is 3.14"],
    ["H₂O", "H 2 O"],
    ["$E = mc^2$", "E equals m c squared"],
    ["$\\frac{a}{b} + \\sqrt{2}$", "a over b plus the square root of 2"],
    ["$x_1 + x_2 \\le 10$", "x sub 1 plus x sub 2 at most 10"],
    ["\\(a^2 + b^2 = c^2\\)", "a squared plus b squared equals c squared"],
    ["$$\\int_0^1 f(x) dx$$", "the integral from 0 to 1 of f of x d x"],
    ["$\\begin{matrix} a & b \\\\ c & d \\end{matrix}$", "a formula"],
    ["f(x) = x^2", "f of x equals x squared"],
    ["1920x1080", "1920 by 1080"],
    ["1920×1080 pixels", "1920 by 1080 pixels"],
    ["2x", "2 times"],
    ["2.5x faster", "2.5 times faster"],
    ["10x", "10 times"],
  ],
  fractions: [
    ["3/4 cup", "three quarters cup"],
    ["½ cup", "half cup"],
    ["2½ cups", "2 and a half cups"],
    ["1 1/2 cups", "1 and a half cups"],
    ["1/2 price", "half price"],
    ["1/3 of it", "a third of it"],
    ["step 1/3", "step 1 of 3"],
    ["7/10", "7 out of 10"],
    ["24/7", "24 7"],
    ["50/50", "50 50"],
    ["9/11", "9 11"],
    ["10/10", "10 out of 10"],
  ],
  money: [
    ["$1,299.50", "1,299 dollars and 50 cents"],
    ["$0.50", "50 cents"],
    ["$5M", "5 million dollars"],
    ["$3.2 billion", "3.2 billion dollars"],
    ["$2–3 million", "2 to 3 million dollars"],
    ["$10–$20", "10 dollars to 20 dollars"],
    ["-$20", "minus 20 dollars"],
    ["−$1.5M", "minus 1.5 million dollars"],
    ["A$5", "5 Australian dollars"],
    ["£5.20", "5 pounds and 20 pence"],
    ["5 EUR and USD 20", "5 euros and 20 US dollars"],
    ["1.000,50 €", "1,000 euros and 50 cents"],
    ["It costs $5, or $6.", "It costs 5 dollars, or 6 dollars."],
    ["5m users", "5 million users"],
    ["5k users", "5 thousand users"],
    ["$5/month", "5 dollars per month"],
    ["€20/hr", "20 euros per hour"],
  ],
  units: [
    ["76°F", "76 degrees Fahrenheit"],
    ["−3 °C", "minus 3 degrees Celsius"],
    ["-40 °F", "minus 40 degrees Fahrenheit"],
    ["20–25 °C", "20 to 25 degrees Celsius"],
    ["90° angle", "90 degrees angle"],
    ["16 GB", "16 gigabytes"],
    ["1.5 GB", "1.5 gigabytes"],
    ["3 MB/s", "3 megabytes a second"],
    ["60 km/h", "60 kilometres an hour"],
    ["1 km", "1 kilometre"],
    ["1,000,000 km", "1,000,000 kilometres"],
    ["2 m²", "2 square metres"],
    ["~5 km", "about 5 kilometres"],
    ["a 5 m wide road", "a 5 metres wide road"],
    ["a 5-km run", "a 5 kilometre run"],
    ["200ms", "200 milliseconds"],
    ["a 30s timeout", "a 30 seconds timeout"],
    ["He is 5'10\" tall.", "He is 5 foot 10 tall."],
    ["3 kg/day", "3 kilograms per day"],
    ["20 l/person", "20 litres per person"],
  ],
  "dates and times": [
    ["2026-11-26", "November twenty-sixth, 2026"],
    ["26/11/2026", "November twenty-sixth, 2026"],
    ["November 26, 2026", "November twenty-sixth, 2026"],
    ["Nov. 26", "November twenty-sixth"],
    ["March 3–5", "March third to fifth"],
    ["2026-11-26T14:05:00Z", "November twenty-sixth, 2026, at fourteen oh five U T C"],
    ["2026-11-26 14:05", "November twenty-sixth, 2026, at fourteen oh five"],
    ["9:00", "nine o'clock"],
    ["9:05 am", "nine oh five A M"],
    ["3pm", "three P M"],
    ["10am–2pm", "ten A M to two P M"],
    ["at 9 a.m.", "at nine A M."],
    ["at 17:00.", "at seventeen hundred."],
    ["at 5:30.", "at five thirty."],
    ["00:00", "midnight"],
    ["Open 9:00–17:30 daily.", "Open nine to seventeen thirty daily."],
    ["10:30-11:45", "ten thirty to eleven forty five"],
  ],
  "versions and numbers of things": [
    ["1.10.2", "1 point 10 point 2"],
    ["v2", "version 2"],
    ["v1.10.2-beta.1", "v1.10.2-beta.1"],
    ["Python 3.12", "Python 3 point 12"],
    ["No. 5", "number 5"],
    ["#123", "number 123"],
    ["5_000", "5000"],
    ["Call 555-1234 or +1 (555) 123-4567.", "Call 5 5 5, 1 2 3 4 or plus 1, 5 5 5, 1 2 3, 4 5 6 7."],
    ["555-123-4567", "5 5 5, 1 2 3, 4 5 6 7"],
    ["1-800-555-1234", "1, 8 0 0, 5 5 5, 1 2 3 4"],
  ],
  addresses: [
    ["It is at https://www.example.com/a/b?c=1. Look.", "It is at a link to example dot com. Look."],
    ["https://a.example/b-c_d?x=1&y=2#z and more", "a link to a dot example and more"],
    ["anna@example.com", "anna at example dot com"],
    ["example.com/path", "example dot com"],
    ["192.168.0.1:8080", "192 dot 168 dot 0 dot 1 port 8080"],
    ["10.0.0.0/8", "10 dot 0 dot 0 dot 0 slash 8"],
    ["fe80::1", "an I P version 6 address"],
    ["localhost:3000", "localhost port 3000"],
  ],
  paths: [
    ["src/api/auth/session.ts", "session dot T S, in A P I auth"],
    ["/home/anna/notes/todo.md", "todo dot M D, in anna notes"],
    ["~/projects/parley", "parley, in projects"],
    ["../lib/index.js:10:5", "index dot J S, line 10, column 5, in lib"],
    ["./run.sh", "run dot S H"],
    ["Open /etc/hosts now.", "Open hosts, in etc now."],
    ["Type /help now.", "Type slash help now."],
    ["C:\\Users\\anna\\file.txt", "file dot T X T, in users anna"],
    ["file.ts:42", "file dot T S, line 42"],
    [".env and *.ts", "dot env and star dot T S"],
    ["index.html and Node.js", "index dot H T M L and node dot J S"],
  ],
  code: [
    ["HttpRequestBuilder", "H T T P request builder"],
    ["get_user_by_id(user_id)", "get user by I D"],
    ["useState and userId", "use state and user I D"],
    ["my_big_file", "my big file"],
    ["foo.bar()", "foo dot bar"],
    ["array.map(x => x + 1)", "array dot map(x to x plus 1)"],
    ["API_KEY", "A P I key"],
    ["$HOME", "dollar home"],
    ["Set $MY_HOME.", "Set dollar my home."],
    ["--dry-run", "dash dash dry run"],
    ["Use -v or -la.", "Use dash V or dash L A."],
    ["x <= 3 && y != 0", "x at most 3 and y is not 0"],
    ["x == 5", "x equals 5"],
    ["x++", "x plus plus"],
    ["a -> b", "a to b"],
    ["a => b", "a to b"],
    ["npm run build && npm test", "npm run build and npm test"],
    ["a1b2c3d4e5", "hash A 1 B 2"],
    ["commit a1b2c3d4e5", "commit A 1 B 2"],
    ["550e8400-e29b-41d4-a716-446655440000", "a U U I D"],
    ["0xFF", "hex F F"],
    ["#fff and #a1b2c3", "hex F F F and hex A 1 B 2 C 3"],
    ["C#", "C sharp"],
    ["F#", "F sharp"],
    ["C++", "C plus plus"],
    ["a ; at the end", "a semicolon at the end"],
  ],
  keys: [
    ["Ctrl+Shift+M", "Control Shift M"],
    ["<kbd>Ctrl</kbd>+<kbd>C</kbd>", "Control C"],
    ["Press ⌘⇧P", "Press Command Shift P"],
  ],
  "what stands between words": [
    ["and/or", "and or"],
    ["he/she", "he or she"],
    ["client/user", "client slash user"],
    ["client/server", "client slash server"],
    ["TCP/IP", "TCP IP"],
    ["I/O", "I O"],
    ["w/o sugar", "without sugar"],
    ["R&D and AT&T", "R and D and A T and T"],
    ["#hashtag", "hashtag hashtag"],
    ["@name", "at name"],
    ["Open Settings > Privacy", "Open Settings Privacy"],
    ["Well -- maybe", "Well, maybe"],
    ["e.g. this, i.e. that", "for example this, that is that"],
  ],
  marks: [
    ["as said[^1].", "as said."],
    ["☑ buy milk", "done: buy milk"],
    ["☐ buy milk", "to do: buy milk"],
    ["I love you <3", "I love you"],
    ["Nice :)", "Nice"],
    ["Done 🎉 now.", "Done now."],
  ],
};

describe.each(Object.entries(rows))("%s", (_kind, texts) => {
  test.each(texts)("%s is said as %s", (written, said) => {
    expect(saidAs(written, "en")).toBe(said);
  });
});

test.each([
  "It gives 401.",
  "a 10-year-old boy",
  "e-mail",
  "pre-2000",
  "the x-axis",
  "3D",
  "1st",
  "0.5",
  ".5",
  "1,000.50",
  "Well...",
  "iPhone YouTube McDonald GitHub JavaScript macOS",
  "O'Brien's 5' ladder",
  "B-52 and I-95",
  "COVID-19",
  "the 5-2 win",
  "gpt-4o-mini",
  "claude-3-5-sonnet-20241022",
  "The file(s) are there.",
  "It is 5, or 10, and 12.",
  "2026-13-45",
  "ISBN 978-3-16-148410-0",
  "a 64-bit number",
  "the 1990s",
  "A+ and B-",
  "Dr. Smith met Mrs. Jones.",
  "“Quoted,” she said.",
  "A plain sentence, with a comma; and more: this.",
  "Naïve café",
  "Room 5B, flat 3C",
  "R2-D2 and C-3PO",
  "Windows 11",
  "Press Enter.",
  "I think so — maybe — yes.",
  "a 5-star hotel, 24-hour service",
  "the U.S. and the E.U.",
])("%s is said as it is written", (written) => {
  expect(saidAs(written, "en")).toBe(written);
});

test.each([
  ["de", "Es fiel um −5 % auf 10–12 €.", "Es fiel um -5 % auf 10–12 €."],
  ["fr", "Ouvert 9:00–17:30 ; x <= 3 & y.", "Ouvert 9:00–17:30; x <= 3 & y."],
  ["de", "Siehe https://www.example.com/a/b?c=1 🎉", "Siehe example.com"],
  ["es", "Pulsa Ctrl+C en src/main.ts[^1].", "Pulsa Ctrl+C en src/main.ts."],
])("in %s, which has no table of words, %s stays as it is: %s", (language, written, said) => {
  expect(saidAs(written, language)).toBe(said);
});

test("English of any country has the words, and so has a language that is not chosen", () => {
  for (const language of ["en", "en-GB", "EN_us", "auto"])
    expect(saidAs("−5 %", language)).toBe("minus 5 percent");
});

test.each([
  ["He said 你好 to us.", "He said a word in another script to us."],
  ["Привет means hello.", "a word in another script means hello."],
  ["It ends with добрый день.", "It ends with words in another script."],
  ["Café costs 5 €.", "Café costs 5 euros."],
  ["The angle α is 5°.", "The angle alpha is 5 degrees."],
  // Nothing of it can be said: the transcript tells so.
  ["Привет, мир.", "Привет, мир."],
])("for a voice that knows only Latin letters %s is said as %s", (written, said) => {
  expect(saidAs(written, "en", { isLatinOnly: true })).toBe(said);
  expect(saidAs("He said 你好.", "en"), "a voice that knows others says them").toBe("He said 你好.");
});

const signs = fc.constantFrom(
  ..."0 1 9 . , / \\ - – − _ : ; @ # $ % € ° ² ^ ~ * ` | < > = + & ( ) [ ] { } a B x km é 你 π 🎉 ½ www. https:// v -- \\frac".split(
    " ",
  ),
  " ",
);

test("every text is said as something, whatever its signs", () => {
  fc.assert(
    fc.property(fc.array(signs, { minLength: 1, maxLength: 60 }), (parts) => {
      const text = parts.join("");
      for (const language of ["en", "de"]) {
        const said = saidAs(text, language, { isLatinOnly: true });
        if (/[a-z]/i.test(text)) expect(said).not.toBe("");
      }
    }),
    { numRuns: 500 },
  );
});

// With a rule that looks at a text again from each of its places, one of these takes minutes.
test.each([
  "1",
  "1.",
  "1/",
  "/",
  "a/",
  "a_",
  "a.",
  "-",
  "(",
  "$",
  "x^",
  "A",
  "aB",
  "1:",
  "#",
  "@",
  "a@",
  "1 km ",
  "www.",
  "\\frac{",
  "f(",
  "你",
  "ab12",
  "“",
])("a text of nothing but %j takes no longer than its length", (sign) => {
  const long = sign.repeat(60_000 / sign.length);
  expect(saidAs(long, "en", { isLatinOnly: true })).not.toBe("");
});

test.each([
  ["10 to 12 euros", "ten to twelve euros"],
  ["401 and 1,299 dollars", "four hundred one and one thousand two hundred ninety nine dollars"],
  ["in 2019, 2000 of them", "in twenty nineteen, two thousand of them"],
  ["3.14 and 5 million", "three point one four and five million"],
])("of %s a recogniser hears %s", (said, heard) => {
  expect(numbersInWords(said)).toBe(heard);
});
