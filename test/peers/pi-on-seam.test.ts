/** Pi's unchanged examples on Seam's own agent; what comes out is docs/pi-compatibility.md. */
import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { PAGE, page, working } from "./host/page.ts";
import { proofs } from "./host/proofs.ts";
import { EDITION_NAMES, examplesOf, requirePeers } from "./pi.ts";

requirePeers();

await import("./host/group-a-tools.ts");
await import("./host/group-a-session.ts");
await import("./host/group-b.ts");
await import("./host/plan-mode.ts");
await import("./host/group-c.ts");
await import("./host/group-c-providers.ts");
await import("./host/group-d-state.ts");
await import("./host/group-d-screen.ts");
await import("./host/group-e.ts");
await import("./host/only-later.ts");
await import("./host/command-line.ts");
await import("./host/sessions.ts");

describe("docs/pi-compatibility.md", () => {
  test.each(EDITION_NAMES)("has every example of Pi %s in it", (edition) => {
    const proven = proofs.flatMap(({ example, results }) =>
      example !== undefined && results[edition] !== undefined ? [example] : [],
    );
    expect([...new Set(proven)].sort()).toEqual([...examplesOf(edition).keys()].sort());
  });

  test.each([
    ["0.74.2", 71],
    ["1.5.0", 70],
  ] as const)("of the examples of Pi %s, at least %i do what they do there", (edition, least) => {
    const isRun = proofs.every(({ results }) => results[edition] !== "not run");
    const examples = proofs.filter(({ example }) => example !== undefined);
    expect(isRun ? working(examples, edition) : least).toBeGreaterThanOrEqual(least);
  });

  test("says what this run has seen", ({ skip }) => {
    // A run of some of the tests knows nothing about the others.
    skip(proofs.some(({ results }) => Object.values(results).includes("not run")));
    const text = page();
    if (process.env.WRITE_DOCS) writeFileSync(PAGE, text);
    expect(unaligned(readFileSync(PAGE, "utf8"))).toBe(unaligned(text));
  });
});

/** A formatter may have lined up the columns of the tables. */
function unaligned(text: string): string {
  return text.replace(/-{3,}/g, "---").replace(/ {2,}/g, " ");
}
