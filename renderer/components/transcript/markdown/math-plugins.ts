import "katex/dist/katex.min.css";
import type { Options } from "react-markdown";
import rehypeKatex from "rehype-katex";
import remarkMath from "remark-math";

export interface MathPlugins {
  remark: NonNullable<Options["remarkPlugins"]>;
  rehype: NonNullable<Options["rehypePlugins"]>;
}

/** Formulas in `$$`. What a model writes is not trusted: no links or files from it, and nothing that grows without end. */
export const mathPlugins = {
  remark: [[remarkMath, { singleDollarTextMath: false }]],
  rehype: [
    [
      rehypeKatex,
      { trust: false, strict: "ignore", maxExpand: 1000, maxSize: 20, errorColor: "var(--danger)" },
    ],
  ],
} satisfies MathPlugins;
