import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Static, Type } from "typebox";
import { Check } from "typebox/value";
import { createFile, type FileLock, readText, replaceFile, tryLock } from "../../files/index.ts";
import { MOST_SLOTS } from "./workspace.ts";

const Taken = Type.Object({
  run: Type.String(),
  task: Type.String(),
  branch: Type.Optional(Type.String()),
  base: Type.String(),
  sparse: Type.Optional(Type.Array(Type.String())),
  /** Before it is ready nobody has worked in it: what is in it is what was there before. */
  isReady: Type.Boolean(),
  at: Type.String(),
});
/** Who has a slot. */
export type Taken = Static<typeof Taken>;

const Row = Type.Object({
  slot: Type.Integer({ minimum: 1 }),
  /** The git folder that all worktrees of the repository share. */
  repository: Type.String(),
  path: Type.String(),
  /** The worktree's own git folder, once there is one. */
  gitDir: Type.Optional(Type.String()),
  /** Nobody has looked yet whether there is a folder at the path already. */
  isNew: Type.Optional(Type.Boolean()),
  /** The folders that are checked out in it. */
  sparse: Type.Optional(Type.Array(Type.String())),
  /** What the setup command was run for, and with which lock files. */
  setup: Type.Optional(Type.String()),
  /** What was in it when it was given back: this commit, and nothing else. */
  commit: Type.Optional(Type.String()),
  taken: Type.Optional(Taken),
});
/** What is kept of a slot, outside of every worktree. Written before the worktree is touched. */
export type SlotRow = Static<typeof Row>;

/** All slots of this user on this machine, one file each: `<seam home>/crew/slots/<n>.json`. */
export class SlotRows {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  }

  all(): SlotRow[] {
    return this.#numbers().flatMap((slot) => this.get(slot) ?? []);
  }

  get(slot: number): SlotRow | undefined {
    try {
      const row: unknown = JSON.parse(readText(this.#file(slot)) ?? "");
      return Check(Row, row) && row.slot === slot ? row : undefined;
    } catch {
      return undefined;
    }
  }

  /**
   * A row that says that somebody may work in a slot is on the disk before anybody does: a machine that
   * loses its power then must not take that work for nothing. With any other row that is lost, the slot
   * is looked through once more.
   */
  put(row: SlotRow): void {
    const flush = row.taken?.isReady === true;
    replaceFile(this.#file(row.slot), JSON.stringify(row), { flush });
  }

  /** A number that nobody has, for good. Two processes never get the same one. */
  claim(rowFor: (slot: number) => SlotRow): SlotRow | undefined {
    for (let slot = 1; slot <= MOST_SLOTS; slot++) {
      const row = rowFor(slot);
      if (createFile(this.#file(slot), JSON.stringify(row))) return row;
    }
    return undefined;
  }

  remove(slot: number): void {
    rmSync(this.#file(slot), { force: true });
  }

  /** Numbers whose row cannot be read: a disk was full, or somebody wrote into it. */
  damaged(): number[] {
    return this.#numbers().filter((slot) => this.get(slot) === undefined);
  }

  /** Undefined while another process, or another part of this one, is at work on the slot. */
  lock(slot: number): FileLock | undefined {
    const lock = tryLock(join(this.#folder, `${slot}.lock`));
    return lock.isOurs ? lock : undefined;
  }

  #numbers(): number[] {
    const names = readdirSync(this.#folder).flatMap(
      (name) => /^(\d+)\.json$/.exec(name)?.[1] ?? [],
    );
    return names.map(Number).sort((a, b) => a - b);
  }

  #file(slot: number): string {
    return join(this.#folder, `${slot}.json`);
  }
}
