import { expect } from "vitest";
import { type Json, list, parse, record, text } from "../../model-server/json.ts";
import type { Stage } from "./stage.ts";
import { until } from "./until.ts";

const REF = "refs/seam/checkpoints/v1";

/** What is recorded for the commit HEAD, read with git alone. */
export class Checkpoint {
  readonly id: string;
  readonly #git: (...args: readonly string[]) => string;
  readonly #folder: string;

  /** `id`: of a commit that has no trailer. `cwd`: another work tree than the project. */
  constructor(stage: Stage, id?: string, cwd = stage.cwd) {
    this.#git = (...args) => stage.runIn(cwd, "git", ...args).stdout;
    const message = this.#git("log", "-1", "--format=%B");
    this.id = id ?? /^Seam-Checkpoint: (\w+)$/m.exec(message)?.[1] ?? "";
    expect(this.id, message).not.toBe("");
    this.#folder = `${REF}:${this.id.slice(0, 2)}/${this.id.slice(2)}`;
  }

  read(path: string): string {
    return this.#git("show", `${this.#folder}/${path}`).trim();
  }

  /** Of the first session. */
  get session(): Json {
    return record(parse(this.read("0/metadata.json")));
  }

  get skillEvents(): Json[] {
    return list(this.session.skill_events).map(record);
  }

  /** Its lines; a long transcript is in several pieces. */
  get transcript(): string[] {
    const names = this.#git("ls-tree", "--name-only", `${this.#folder}/0`).split("\n");
    const pieces = names.filter((name) => name.startsWith("full.jsonl")).sort();
    return pieces.flatMap((name) => this.read(`0/${name}`).split("\n"));
  }

  get #isFinal(): boolean {
    return text(record(parse(this.read("0/metadata.json"))).finalized_at) !== "";
  }

  /** The record is written after the agent has gone on, and once more when its turn is over. */
  finalized(): Promise<boolean> {
    return until(() => this.#isFinal);
  }
}
