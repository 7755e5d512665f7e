import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { readText, replaceFile } from "../../files/index.ts";
import { isRecord } from "../../values/index.ts";
import { indexFolder } from "../store/database.ts";

/**
 * Sessions that the user had deleted. The agent's own transcript of one may still be there: what it
 * said before is never read into the index again. Kept beside the index, which can be made anew.
 */
export class Forgotten {
  readonly #file: string;
  readonly #folder: string;
  readonly #until: Map<string, number>;

  constructor(home: string) {
    this.#folder = indexFolder(home);
    this.#file = join(this.#folder, "forgotten.json");
    this.#until = new Map(parse(readText(this.#file)));
  }

  /** The moment up to which nothing of a session counts; 0 if it was not forgotten. */
  until(session: string): number {
    return this.#until.get(session) ?? 0;
  }

  add(session: string, now = Date.now()): void {
    this.#until.set(session, now);
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    replaceFile(this.#file, `${JSON.stringify(Object.fromEntries(this.#until), null, 2)}\n`);
  }
}

function parse(text = "{}"): [string, number][] {
  try {
    const value: unknown = JSON.parse(text);
    if (!isRecord(value)) return [];
    return Object.entries(value).flatMap(([key, time]) =>
      typeof time === "number" ? [[key, time] as [string, number]] : [],
    );
  } catch {
    return [];
  }
}
