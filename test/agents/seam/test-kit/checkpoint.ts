import { expect } from "vitest";
import { type Json, list, parse, record, text } from "../../model-server/json.ts";
import type { Stage } from "./stage.ts";
import { until } from "./until.ts";

const REF = "refs/seam/checkpoints/v1";

/** What is recorded for the commit HEAD, read with git alone. */
export class Checkpoint {
  readonly id: string;
  readonly #stage: Stage;
  readonly #folder: string;

  /** `id`: of a commit that has no trailer. */
  constructor(stage: Stage, id?: string) {
    this.#stage = stage;
    const message = stage.git("log", "-1", "--format=%B");
    this.id = id ?? /^Seam-Checkpoint: (\w+)$/m.exec(message)?.[1] ?? "";
    expect(this.id, message).not.toBe("");
    this.#folder = `${REF}:${this.id.slice(0, 2)}/${this.id.slice(2)}`;
  }

  read(path: string): string {
    return this.#stage.git("show", `${this.#folder}/${path}`);
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
    const names = this.#stage.git("ls-tree", "--name-only", `${this.#folder}/0`).split("\n");
    const pieces = names.filter((name) => name.startsWith("full.jsonl")).sort();
    return pieces.flatMap((name) => this.read(`0/${name}`).split("\n"));
  }

  /** The record is written after the agent has gone on, and once more when its turn is over. */
  finalized(): Promise<boolean> {
    const path = `${this.#folder}/0/metadata.json`;
    return until(() => {
      const { stdout } = this.#stage.run("git", "show", path);
      return text(record(parse(stdout)).finalized_at) !== "";
    });
  }
}
