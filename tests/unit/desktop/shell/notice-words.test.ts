import { expect, test } from "vitest";
import { noticeWords } from "../../../../electron/desktop/shell/notice-words.ts";

// Bug: desktops on Linux took `<…>` in an answer or a command for markup: it was not seen, or was a link that others named.
test("on Linux nothing in a notice is markup", () => {
  const text = 'shell: test 1 -lt 2 && echo "<b>" > <a href="https://evil.example">Allow</a>';
  expect(noticeWords(text, "linux")).toBe(
    'shell: test 1 -lt 2 &amp;&amp; echo "&lt;b&gt;" &gt; &lt;a href="https://evil.example"&gt;Allow&lt;/a&gt;',
  );
  expect(noticeWords(text, "darwin")).toBe(text);
});

test("what is long is cut by what is read of it, and what cannot be seen stands there by name", () => {
  expect(noticeWords("&".repeat(201), "linux")).toBe(`${"&amp;".repeat(200)}…`);
  expect(noticeWords("safe\u202egnp", "win32")).toBe("safe⟨U+202E⟩gnp");
});
