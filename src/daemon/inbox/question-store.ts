import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { readText, replaceFile } from "../../files/index.ts";
import { isRecord } from "../../values/index.ts";
import type { Question, Settled } from "./question.ts";

/** A question on disk, with its answer and with what identifies it when it is asked again. */
export interface StoredQuestion {
  readonly question: Question;
  readonly key: string;
  readonly settled?: Settled;
}

const ENDING = ".json";

/**
 * Questions on disk, one file each. A question is here before anybody sees it and its answer before
 * the agent goes on, so a daemon that is killed comes back with both.
 */
export class QuestionStore {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  }

  write(stored: StoredQuestion): void {
    replaceFile(this.#path(stored.question.id), `${JSON.stringify(stored)}\n`);
  }

  remove(id: string): void {
    rmSync(this.#path(id), { force: true });
  }

  /** What the daemon before left. A file that cannot be read is ignored. */
  load(): StoredQuestion[] {
    const names = readdirSync(this.#folder).filter((name) => name.endsWith(ENDING));
    return names.flatMap((name) => parse(readText(join(this.#folder, name)) ?? "") ?? []);
  }

  #path(id: string): string {
    return join(this.#folder, `${id}${ENDING}`);
  }
}

function parse(text: string): StoredQuestion | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (!isRecord(value) || typeof value.key !== "string" || !isRecord(value.question)) {
      return undefined;
    }
    const { id, agent, session, cwd, at, title, by } = value.question;
    const texts = [id, agent, session, cwd, at, title, by];
    if (!texts.every((one) => typeof one === "string")) return undefined;
    // The daemon wrote the file, so its fields have the right types.
    return value as unknown as StoredQuestion;
  } catch {
    return undefined;
  }
}
