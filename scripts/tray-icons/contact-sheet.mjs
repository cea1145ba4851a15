import { states } from "./shapes.mjs";

const cell = 84;
const label = 150;
const row = 78;
const head = 34;

/**
 * All icons side by side, each at its own pixels, on a light and on a dark panel.
 * @param files the icons, as `{path, px}`
 * @returns the size of the picture in pixels, and its page: it takes the PNGs in the order of `files`, as base64
 */
export function contactSheet(files) {
  const columns = states.flatMap((state) => [state, `${state}-waiting`]);
  const rows = ["16", "22", "32"].flatMap((folder) => [
    { folder, ending: ".png", label: `${folder} px` },
    { folder, ending: "@2x.png", label: `${folder} px @2x` },
  ]);
  const all = [...rows, { folder: "mac", ending: "Template@2x.png", label: "macOS template @2x" }];
  const width = label + columns.length * cell;
  const half = head + all.length * row;
  return {
    width,
    height: half * 2,
    html: (pngs) => {
      const png = new Map(files.map(({ path }, index) => [path, pngs[index]]));
      const panel = (ground, ink) =>
        `<table style="background:${ground};color:${ink}"><tr><th></th>${columns
          .map((name) => `<th>${name.replace("-", "<br>")}</th>`)
          .join("")}</tr>${all
          .map(({ folder, ending, label: text }) => {
            // A template takes the colour of the menu bar.
            const style = folder === "mac" && ink === "#fff" ? ' style="filter:invert(1)"' : "";
            const cells = columns.map((name) => {
              const data = png.get(`${folder}/${name}${ending}`);
              return `<td><img${style} src="data:image/png;base64,${data}"></td>`;
            });
            return `<tr><th>${text}</th>${cells.join("")}</tr>`;
          })
          .join("")}</table>`;
      return `<style>body{margin:0;overflow:hidden;font:12px sans-serif}table{border-collapse:collapse;width:${width}px;height:${half}px;table-layout:fixed}
        th,td{padding:0}th{font-weight:normal;width:${cell}px}th:first-child{width:${label}px}tr:first-child{height:${head}px}td{text-align:center}img{vertical-align:middle}</style>
        ${panel("#f4f3f0", "#222")}${panel("#26272b", "#fff")}`;
    },
  };
}
