/**
 * A progress bar on stderr; where that is no terminal, a line every quarter.
 * @param total in whatever unit `update` is told
 * @param out for tests
 */
export function progressBar(label, total, out = process.stderr) {
  const cells = 30;
  let shown = -1;
  const update = (done) => {
    const part = Math.max(0, Math.min(done / total, 1));
    const step = Math.floor(part * (out.isTTY ? 100 : 4));
    if (step <= shown) return;
    shown = step;
    const full = Math.floor(part * cells);
    const line = `parley: ${label} ${"█".repeat(full)}${"░".repeat(cells - full)} ${Math.floor(part * 100)} %`;
    out.write(out.isTTY ? `\r${line}` : `${line}\n`);
  };
  update(0);
  return {
    update,
    stop: () => {
      if (out.isTTY) out.write("\n");
    },
  };
}
