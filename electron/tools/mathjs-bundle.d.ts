/** mathjs in one file: its 1,500 modules take seconds to load on a slow disk, the bundle a tenth of one. */
declare module "mathjs/lib/browser/math.js" {
  import type { MathJsInstance } from "mathjs";

  const math: MathJsInstance;
  export default math;
}
