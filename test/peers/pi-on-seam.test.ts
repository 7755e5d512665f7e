/** Pi's unchanged examples on Seam's own agent; what comes out is docs/pi-compatibility.md. */
import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { PAGE, page } from "./host/page.ts";
import { proofs } from "./host/proofs.ts";
import { recordedExamples, requirePeers } from "./pi.ts";

requirePeers();
const { pi, examples } = recordedExamples();

await import("./host/group-a-tools.ts");
await import("./host/group-a-session.ts");
await import("./host/group-b.ts");
await import("./host/plan-mode.ts");
await import("./host/group-c.ts");
await import("./host/group-c-providers.ts");
await import("./host/group-d-state.ts");
await import("./host/group-d-screen.ts");
await import("./host/group-e.ts");
await import("./host/command-line.ts");
await import("./host/sessions.ts");

describe("docs/pi-compatibility.md", () => {
  test("has every example of Pi in it, in groups of the size they have in the plan", () => {
    const proven = proofs.flatMap(({ example }) => example ?? []);
    expect([...new Set(proven)].sort()).toEqual(Object.keys(examples).sort());
    const inGroup = (group: string) =>
      new Set(proofs.flatMap((proof) => (proof.group === group ? [proof.example] : []))).size;
    expect(["A", "B", "C", "D", "E"].map(inGroup)).toEqual([26, 15, 8, 21, 2]);
  });

  test("says what this run has seen", ({ skip }) => {
    // A run of some of the tests knows nothing about the others.
    skip(proofs.some(({ result }) => result === "not run"));
    const text = page(pi);
    if (process.env.WRITE_DOCS) writeFileSync(PAGE, text);
    expect(unaligned(readFileSync(PAGE, "utf8"))).toBe(unaligned(text));
  });
});

/** A formatter may have lined up the columns of the tables. */
function unaligned(text: string): string {
  return text.replace(/-{3,}/g, "---").replace(/ {2,}/g, " ");
}
