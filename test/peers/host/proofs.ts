import { describe, expect, test } from "vitest";
import type { Stage } from "./stage.ts";

export type Group = "A" | "B" | "C" | "D" | "E";

/** One thing that was to be seen, and whether it was. */
export interface Proof {
  /** The example; undefined for what concerns no example. */
  readonly example?: string;
  readonly group?: Group;
  readonly what: string;
  result: "not run" | "works" | "does not load, as in Pi" | "fails";
}

export interface Unproven {
  readonly example: string;
  readonly group: Group;
  readonly what: string;
}

/** Everything that was declared, in the order of the page. */
export const proofs: Proof[] = [];
export const unprovens: Unproven[] = [];

/** A test that ends up as a row of docs/pi-compatibility.md. It returns the stages it played on. */
export function prove(
  group: Group,
  example: string,
  what: string,
  run: () => Promise<Stage | readonly Stage[] | undefined>,
): void {
  declare(`group ${group}`, `${example}: ${what}`, { group, example, what }, async () => {
    const stages = (await run()) ?? [];
    for (const stage of [stages].flat()) expect(stage.problems()).toEqual([]);
  });
}

/** An example that Pi cannot load either: it ends up as such, not as one that works. */
export function proveUnloadable(
  group: Group,
  example: string,
  what: string,
  run: () => Promise<void>,
): void {
  const result = "does not load, as in Pi";
  declare(`group ${group}`, `${example}: ${what}`, { group, example, what }, run, result);
}

export function proveSession(what: string, run: () => Promise<void>): void {
  declare("sessions", what, { what }, run);
}

function declare(
  suite: string,
  title: string,
  claim: Omit<Proof, "result">,
  run: () => Promise<void>,
  proven: Proof["result"] = "works",
): void {
  const proof: Proof = { ...claim, result: "not run" };
  proofs.push(proof);
  describe(suite, () => {
    test(title, async () => {
      proof.result = "fails";
      await run();
      proof.result = proven;
    });
  });
}

/** What an example can do that no test here has seen. */
export function unproven(group: Group, example: string, what: string): void {
  unprovens.push({ group, example, what });
}
