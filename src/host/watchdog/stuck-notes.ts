import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Type } from "typebox";
import { Value } from "typebox/value";
import { replaceFile } from "../../files/index.ts";
import { seamHome } from "../../settings/index.ts";

const Note = Type.Object({
  name: Type.String(),
  path: Type.String(),
  /** Whether it is known to be this one. */
  certain: Type.Boolean(),
  /** What the last run said when it was ended. */
  text: Type.String(),
  at: Type.Number(),
});

/** An extension that a run was ended because of. */
export interface StuckNote {
  readonly name: string;
  readonly path: string;
  readonly certain: boolean;
  readonly text: string;
  readonly at: number;
}

const notesFile = () => join(seamHome(), "stuck.json");

/** The extensions that earlier runs were ended because of, and that nobody was told of yet. */
export function stuckNotes(): StuckNote[] {
  try {
    const notes: unknown = JSON.parse(readFileSync(notesFile(), "utf8"));
    return Array.isArray(notes) ? notes.filter((note) => Value.Check(Note, note)) : [];
  } catch {
    return [];
  }
}

/** Keeps them for the next start. */
export function keepStuckNotes(notes: readonly StuckNote[]): void {
  if (notes.length === 0) {
    rmSync(notesFile(), { force: true });
    return;
  }
  mkdirSync(seamHome(), { recursive: true, mode: 0o700 });
  replaceFile(notesFile(), `${JSON.stringify(notes, undefined, 2)}\n`, { flush: true });
}
