import { describe, expect, test } from "vitest";
import type { Stage } from "./stage.ts";

export type Group = "A" | "B" | "C" | "D" | "E";

/** One thing an example does, and whether it did. */
export interface Proof {
  readonly example: string;
  readonly group: Group;
  readonly what: string;
  result: "not run" | "works" | "fails";
}

const proofs: Proof[] = [];
const open: { example: string; group: Group; what: string }[] = [];

/** A test that ends up as a row of docs/pi-compatibility.md. It returns the stages it played on. */
export function prove(
  group: Group,
  example: string,
  what: string,
  run: () => Promise<Stage | readonly Stage[] | undefined>,
): void {
  const proof: Proof = { group, example, what, result: "not run" };
  proofs.push(proof);
  describe(`group ${group}`, () => {
    test(`${example}: ${what}`, async () => {
      proof.result = "fails";
      const stages = (await run()) ?? [];
      for (const stage of [stages].flat()) expect(stage.problems()).toEqual([]);
      proof.result = "works";
    });
  });
}

/** What an example can do that no test here has seen. */
export function unproven(group: Group, example: string, what: string): void {
  open.push({ group, example, what });
}

export function outcome(): { proofs: readonly Proof[]; open: readonly (typeof open)[number][] } {
  return { proofs, open };
}
