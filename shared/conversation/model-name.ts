/** A model as people call it, where its id says that: “Opus 5.5”, “GPT-5 mini”, “Gemini 3.8 Flash”; otherwise the id. */
export function modelName(id: string): string {
  const bare = id.slice(id.lastIndexOf("/") + 1);
  const claude = /^claude-([a-z]+)-(\d{1,2})(?:-(\d{1,2}))?(?:-\d{8})?$/.exec(bare);
  if (claude) {
    const [, line = "", major, minor] = claude;
    return `${capital(line)} ${minor === undefined ? major : `${major}.${minor}`}`;
  }
  const gpt = /^gpt-([\d.]+o?)((?:-[a-z]+)*)(?:-\d{4}-\d{2}-\d{2})?$/.exec(bare);
  if (gpt) return `GPT-${gpt[1]}${words(gpt[2] ?? "", (word) => (small.has(word) ? word : capital(word)))}`;
  const gemini = /^gemini-([\d.]+)((?:-[a-z]+)+?)(?:-preview(?:-[\d-]+)?|-\d{3})?$/.exec(bare);
  return gemini ? `Gemini ${gemini[1]}${words(gemini[2] ?? "", capital)}` : id;
}

const small = new Set(["mini", "nano"]);
const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
const words = (joined: string, change: (word: string) => string) =>
  joined
    .split("-")
    .filter(Boolean)
    .map((word) => ` ${change(word)}`)
    .join("");
