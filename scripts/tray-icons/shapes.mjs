/** What the tray icon can show, in the order of the picture in docs/. */
export const states = ["off", "listening", "hearing", "thinking", "speaking"];

/** By shape first: whoever sees no colours, and macOS, has nothing else to tell them apart by. */
const colours = {
  off: "#8a8880",
  listening: "#14a08f",
  hearing: "#2f81f7",
  thinking: "#8b5cf6",
  speaking: "#e0457b",
};
const waitingColour = "#e8a317";

/**
 * One icon as SVG, drawn for `size` so that edges fall on pixels.
 * @param size 16, 22 or 32 CSS pixels
 * @param isTemplate black on nothing, as macOS wants it
 */
export function trayIcon({ state, isWaiting, size, isTemplate }) {
  const ink = isTemplate ? "#000" : colours[state];
  const g = grid(size);
  const cuts = [glyphs[state](g), ...(isWaiting ? [badge(g, g.badgeRadius + g.gap, "#000")] : [])];
  const isOutline = state === "off";
  const body = isOutline
    ? `<path d="${bubble(g, g.stroke / 2)}" fill="none" stroke="${ink}" stroke-width="${g.stroke}"/><g fill="${ink}" stroke="${ink}">${glyphs.off(g)}</g>`
    : `<path d="${bubble(g, 0)}" fill="${ink}"/>`;
  const hidden = isOutline ? cuts.slice(1) : cuts;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" width="${size}" height="${size}">
<mask id="m" maskUnits="userSpaceOnUse" x="0" y="0" width="${size}" height="${size}"><rect width="${size}" height="${size}" fill="#fff"/><g fill="#000" stroke="#000">${hidden.join("")}</g></mask>
<g mask="url(#m)" stroke-linejoin="round">${body}</g>
${isWaiting ? badge(g, g.badgeRadius, isTemplate ? "#000" : waitingColour) : ""}
</svg>`;
}

/** Lengths in pixels of the icon at its own size. */
function grid(size) {
  const of = (share) => Math.round(size * share);
  const stroke = { 16: 1.5, 22: 2, 32: 2.5 }[size];
  const left = size === 16 ? 0 : 1;
  const [top, right, bottom] = [of(0.06), size - left, of(0.78)];
  return {
    size,
    stroke,
    left,
    top,
    right,
    bottom,
    tail: of(0.97),
    radius: size * 0.2,
    bar: { 16: 2, 22: 2, 32: 3 }[size],
    middle: (top + bottom) / 2,
    badgeRadius: size * 0.19,
    gap: size / 16,
  };
}

/** A speech bubble. @param inset so much smaller on every side */
function bubble({ left, top, right, bottom, tail, radius, size }, inset) {
  const [l, t, r, b, corner] = [left + inset, top + inset, right - inset, bottom - inset, radius - inset / 2];
  const [from, to] = [l + size * 0.22, l + size * 0.52];
  const arc = (x, y) => `A${corner} ${corner} 0 0 1 ${x} ${y}`;
  return [
    `M${l + corner} ${t}H${r - corner}${arc(r, t + corner)}V${b - corner}${arc(r - corner, b)}`,
    `H${to}L${from} ${tail - inset}V${b}H${l + corner}${arc(l, b - corner)}V${t + corner}${arc(l + corner, t)}Z`,
  ].join("");
}

/** Upright bars around the middle. @param heights as shares of the size */
function bars({ size, bar, middle }, heights, gap = bar) {
  const width = heights.length * bar + (heights.length - 1) * gap;
  const start = Math.round((size - width) / 2);
  return heights
    .map((share, index) => {
      const height = Math.max(bar, Math.round((size * share) / 2) * 2);
      const x = start + index * (bar + gap);
      return `<rect x="${x}" y="${middle - height / 2}" width="${bar}" height="${height}" rx="${bar / 2}" stroke="none"/>`;
    })
    .join("");
}

const glyphs = {
  off: (g) => bars(g, [0.18, 0.34, 0.18]),
  listening: (g) => bars(g, [0.2, 0.38, 0.2]),
  hearing: (g) => bars(g, [0.26, 0.5, 0.36, 0.5, 0.26], g.bar - 1),
  thinking: ({ size, middle }) =>
    [0.27, 0.5, 0.73]
      .map((share) => `<circle cx="${size * share}" cy="${middle}" r="${size * 0.085}" stroke="none"/>`)
      .join(""),
  speaking: speaker,
};

/** A loudspeaker with its waves. */
function speaker({ size, middle, stroke }) {
  const at = (share) => size * share;
  const [back, neck, front, half, mouth] = [at(0.2), at(0.32), at(0.48), at(0.09), at(0.22)];
  const cone = `M${back} ${middle - half}H${neck}L${front} ${middle - mouth}V${middle + mouth}L${neck} ${middle + half}H${back}Z`;
  const wave = (x, reach) =>
    `<path d="M${x} ${middle - reach}Q${x + reach * 0.9} ${middle} ${x} ${middle + reach}" fill="none" stroke-width="${stroke}" stroke-linecap="round"/>`;
  return `<path d="${cone}" stroke="none"/>${wave(at(0.59), at(0.1))}${wave(at(0.71), at(0.19))}`;
}

function badge({ size, badgeRadius }, radius, fill) {
  const middle = size - badgeRadius - size / 32;
  return `<circle cx="${middle}" cy="${size - middle}" r="${radius}" fill="${fill}" stroke="none"/>`;
}
