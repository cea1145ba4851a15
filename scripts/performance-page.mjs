/**
 * docs/performance.md from what `npm run bench -- compare --keep` and `npm run bench -- store --real` found.
 * @param baseline tests/bench/baseline.json
 * @param real tests/bench/real-numbers.json; null: nobody has measured it
 */
export function performancePage(baseline, real) {
  const rows = scenariosOf(baseline).map(
    ({ title, ratio, low, high }) => `| ${title} | ${ratio} | ${low} to ${high} |`,
  );
  return `# Performance over time

Milliseconds depend on the computer they were measured on. So each scenario here is timed in turns with a reference, in the same process, and kept as the
ratio of the fastest runs of both: “1” takes as long as ${baseline.reference}. \`npm run bench -- compare\` measures all of
them again, on any computer, and names what got slower: more than 1.3 times the kept ratio, and slower than any group of rounds behind it. With
\`--keep\` it writes new figures into \`tests/bench/baseline.json\`, and \`npm run performance-doc\` makes this page and its chart from them; a test
checks that they match. For how fast the window opens and draws, see [speed.md](speed.md).

![The scenarios as bars, each as long as its ratio](performance.svg)

Medians, measured on ${baseline.date}. The last column has the lowest and highest of seven groups of rounds.

| Scenario | Times the reference | Groups |
|---|---|---|
${rows.join("\n")}
${real === null ? "" : realNumbers(real)}`;
}

function realNumbers({ figures, computer, date }) {
  const of = (name) => `${figures[name].p50} ms | ${figures[name].p95} ms`;
  return `
## With large numbers: \`npm run bench -- store --real\`

${number(figures.messages)} messages in ${number(figures.sessions)} conversations, one of them with 10,000 messages; ${computer}, ${date}.

| | Median | 95 of 100 |
|---|---|---|
| Start: the database opened, the first 200 rows of the list | ${of("startMs")} |
| Open the conversation of 10,000 messages: its last hundred | ${of("openMs")} |
| List the first 200 conversations | ${of("pageMs")} |
| List all of them | ${of("listMs")} |
| Search, common and rare words | ${of("searchMs")} |
| Keep a message | ${of("appendMs")} |

Backing all of it up takes ${figures.backUpSeconds} s, blocks main for at most ${figures.backUpBlockedMs} ms and makes a file of ${number(figures.backUpMb)} MB;
restoring that into an empty profile takes ${figures.restoreSeconds} s. A search blocks main for at most ${figures.mainBlockedMs} ms. The database takes ${number(figures.databaseMb)} MB, its search index ${number(figures.searchIndexMb)} MB.
`;
}

const scenariosOf = ({ scenarios }) => Object.values(scenarios).sort((one, other) => other.ratio - one.ratio);
const number = (value) => String(value).replace(/\B(?=(\d{3})+$)/g, ",");

const size = { width: 760, row: 34, left: 390, right: 70, top: 30 };

/** docs/performance.svg: a bar for each scenario on a scale of tens, with the spread of its rounds as a line. */
export function performanceChart(baseline) {
  const list = scenariosOf(baseline);
  const ends = list.flatMap(({ low, high }) => [low, high]);
  const from = Math.floor(Math.log10(Math.min(1, ...ends)));
  const to = Math.ceil(Math.log10(Math.max(1, ...ends)));
  const span = size.width - size.left - size.right;
  const x = (ratio) => (size.left + (span * (Math.log10(ratio) - from)) / (to - from)).toFixed(1);
  const height = size.top + list.length * size.row + 10;
  const ticks = Array.from({ length: to - from + 1 }, (_, index) => 10 ** (from + index));
  const lines = ticks.map((tick) => {
    const label = Number(tick.toPrecision(1));
    return `<line x1="${x(tick)}" y1="${size.top - 6}" x2="${x(tick)}" y2="${height - 8}" class="tick${label === 1 ? " one" : ""}"/><text x="${x(tick)}" y="${size.top - 12}" text-anchor="middle" class="small">${label}</text>`;
  });
  const bars = list.map(({ title, ratio, low, high }, index) => {
    const y = size.top + index * size.row;
    const middle = y + size.row / 2;
    const width = (Number(x(ratio)) - size.left).toFixed(1);
    return [
      `<text x="${size.left - 10}" y="${middle + 4}" text-anchor="end">${escaped(title)}</text>`,
      `<rect x="${size.left}" y="${y + 8}" width="${width}" height="${size.row - 16}" rx="3"/>`,
      `<line x1="${x(low)}" y1="${middle}" x2="${x(high)}" y2="${middle}" class="spread"/>`,
      `<text x="${size.width - size.right + 12}" y="${middle + 4}">${ratio}</text>`,
    ].join("");
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${height}" width="${size.width}" height="${height}" role="img" aria-label="Each scenario as a multiple of the reference">
<style>text{font:12px system-ui,sans-serif;fill:#333}.small{font-size:11px;fill:#666}rect{fill:#4a7bd0}.tick{stroke:#ddd}.one{stroke:#888}.spread{stroke:#1c2f57;stroke-width:2}.ground{fill:#fff}</style>
<rect class="ground" width="${size.width}" height="${height}"/>
${lines.join("\n")}
${bars.join("\n")}
</svg>
`;
}

const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
