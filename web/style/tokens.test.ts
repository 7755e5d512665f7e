import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const css = readFileSync(join(import.meta.dirname, "tokens.css"), "utf8");
const colours = new Map(
  [...css.matchAll(/--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)/g)].map(
    ([, name = "", light = "", dark = ""]) => [name, { light, dark }] as const,
  ),
);

/** What is written on what. */
const INKS: Readonly<Record<string, readonly string[]>> = {
  ink: ["bg", "panel", "sunk", "accent-soft", "wait-soft", "work-soft", "stop-soft"],
  dim: ["bg", "panel", "sunk", "accent-soft", "wait-soft", "stop-soft"],
  faint: ["bg", "panel", "sunk", "accent-soft", "wait-soft"],
  accent: ["bg", "panel", "sunk", "accent-soft", "wait-soft"],
  wait: ["bg", "panel", "wait-soft", "accent-soft"],
  work: ["bg", "panel", "work-soft", "accent-soft"],
  stop: ["bg", "panel", "stop-soft", "accent-soft"],
  "add-ink": ["add", "add-word", "panel"],
  "del-ink": ["del", "del-word", "panel"],
  bg: ["ink", "dim"],
  ...Object.fromEntries(
    ["red", "green", "yellow", "blue", "magenta", "cyan"].map((name) => [
      `ansi-${name}`,
      ["panel", "sunk", "bg"],
    ]),
  ),
};

function brightness(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [brightness(one), brightness(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

describe.each(["light", "dark"] as const)("in the %s theme", (theme) => {
  it("everything that is written has a contrast of at least 4.5 to 1", () => {
    const weak = Object.entries(INKS).flatMap(([ink, papers]) =>
      papers.flatMap((paper) => {
        const [one, other] = [colours.get(ink)?.[theme], colours.get(paper)?.[theme]];
        if (!one || !other) return [`${ink} or ${paper} is no colour`];
        const found = contrast(one, other);
        return found < 4.5 ? [`${ink} on ${paper}: ${found.toFixed(2)}`] : [];
      }),
    );
    expect(weak).toEqual([]);
  });
});
