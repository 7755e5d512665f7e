import { describe, expect, test } from "vitest";
import { EDITION_NAMES, type Edition, examplesOf } from "../pi.ts";
import { beAbout, type Stage } from "./stage.ts";

export type Group = "A" | "B" | "C" | "D" | "E";
export type Result = "not run" | "works" | "does not load, as in Pi" | "fails";

/** One thing that was to be seen, and whether it was. */
export interface Proof {
  /** The example; undefined for what concerns no example. */
  readonly example?: string;
  readonly group?: Group;
  readonly what: string;
  /** By version of Pi; none where the version does not have the example. */
  readonly results: Partial<Record<Edition, Result>>;
}

export interface Unproven {
  readonly example: string;
  readonly group: Group;
  readonly what: string;
}

/** Everything that was declared, in the order of the page. */
export const proofs: Proof[] = [];
export const unprovens: Unproven[] = [];

const known = new Map(EDITION_NAMES.map((edition) => [edition, examplesOf(edition)]));

/**
 * A test that ends up as a row of docs/pi-compatibility.md, for each version of Pi that has the
 * example. It returns the stages it played on.
 */
export function prove(
  group: Group,
  example: string,
  what: string,
  run: () => Promise<Stage | readonly Stage[] | undefined>,
  only?: Edition,
): void {
  const claim = { group, example, what };
  declare(`group ${group}`, `${example}: ${what}`, claim, editionsOf(example, only), async () => {
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
  const claim = { group, example, what };
  declare(`group ${group}`, `${example}: ${what}`, claim, editionsOf(example), run, result);
}

/** Only the older version can be asked about its sessions: the newer one does not run here. */
export function proveSession(what: string, run: () => Promise<void>): void {
  declare("sessions", what, { what }, ["0.74.2"], run);
}

function editionsOf(example: string, only?: Edition): Edition[] {
  return EDITION_NAMES.filter((edition) =>
    only === undefined ? known.get(edition)?.has(example) : edition === only,
  );
}

function declare(
  suite: string,
  title: string,
  claim: Omit<Proof, "results">,
  editions: readonly Edition[],
  run: () => Promise<void>,
  proven: Result = "works",
): void {
  const proof: Proof = { ...claim, results: {} };
  proofs.push(proof);
  describe(suite, () => {
    for (const edition of editions) {
      proof.results[edition] = "not run";
      test(`${edition}: ${title}`, async () => {
        proof.results[edition] = "fails";
        beAbout(edition);
        await run();
        proof.results[edition] = proven;
      });
    }
  });
}

/** What an example can do that no test here has seen. */
export function unproven(group: Group, example: string, what: string): void {
  unprovens.push({ group, example, what });
}
