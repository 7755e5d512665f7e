import { isRecord } from "../../values/index.ts";
import type { Field } from "./fields.ts";
import type { WorkflowProblems } from "./problem.ts";

/** How a file's keys that are not known are taken. */
interface KnownKeys {
  readonly known: readonly string[];
  /** Keys of pi-crew that mean nothing here: no mistake, and nothing happens. */
  readonly withoutEffect: readonly string[];
  /** Strict: an unknown key is a mistake. Otherwise only one that looks like a known key is. */
  readonly isStrict: boolean;
}

/** The fields of a head or a task, read by what they have to be. What does not fit becomes a problem. */
export class Keys {
  readonly problems: WorkflowProblems;
  readonly #fields = new Map<string, Field>();
  readonly #line: number;

  constructor(fields: readonly Field[], line: number, problems: WorkflowProblems) {
    this.problems = problems;
    this.#line = line;
    for (const field of fields) {
      const before = this.#fields.get(field.key);
      if (before)
        problems.error(field.line, `"${field.key}" is there already, in line ${before.line}.`);
      else this.#fields.set(field.key, field);
    }
  }

  judge({ known, withoutEffect, isStrict }: KnownKeys): void {
    const all = [...known, ...withoutEffect];
    for (const { key, line } of this.#fields.values()) {
      if (all.includes(key)) continue;
      const text = `"${key}" is not a key that is known here.`;
      if (isStrict) this.problems.error(line, text, key, all);
      else if (all.some((one) => one.toLowerCase() === key.toLowerCase() || isNear(one, key))) {
        this.problems.error(line, text, key, all);
      } else this.problems.warn(line, `${text} It has no effect.`);
    }
  }

  has(key: string): boolean {
    return this.#fields.get(key)?.value !== undefined;
  }

  /** The line of a key; without the key, of what it belongs to. */
  line(key: string): number {
    return this.#fields.get(key)?.line ?? this.#line;
  }

  value(key: string): unknown {
    return this.#fields.get(key)?.value;
  }

  text(key: string): string | undefined {
    const value = this.value(key);
    if (value === undefined || value === null) return undefined;
    if (typeof value === "object") return this.#wrong(key, "a text");
    return String(value).trim();
  }

  /** A list, or one line with commas. `false` is an empty list: pi-crew writes it so. */
  list(key: string): readonly string[] | undefined {
    const value = this.value(key);
    if (value === undefined || value === null) return undefined;
    if (value === false) return [];
    if (Array.isArray(value)) {
      if (value.some((one) => typeof one === "object")) return this.#wrong(key, "a list of texts");
      return value.map((one) => String(one).trim()).filter((one) => one !== "");
    }
    if (typeof value === "object") return this.#wrong(key, "a list");
    return splitList(String(value));
  }

  /** Commands: a list, or one line that is one command. */
  commands(key: string): readonly string[] | undefined {
    const value = this.value(key);
    // pi-crew marks the steps that verify something with `verify: true`.
    if (value === undefined || value === null || typeof value === "boolean") return undefined;
    if (typeof value === "string") return value.trim() === "" ? [] : [value.trim()];
    return this.list(key);
  }

  flag(key: string): boolean | undefined {
    const value = this.value(key);
    if (value === undefined) return undefined;
    if (typeof value === "boolean") return value;
    if (value === "true" || value === "yes") return true;
    if (value === "false" || value === "no") return false;
    return this.#wrong(key, "true or false");
  }

  count(key: string, least = 1): number | undefined {
    const value = this.value(key);
    if (value === undefined) return undefined;
    const number = typeof value === "number" ? value : Number(String(value));
    if (Number.isInteger(number) && number >= least) return number;
    return this.#wrong(key, `a whole number, at least ${least}`);
  }

  oneOf<const Word extends string>(key: string, words: readonly Word[]): Word | undefined {
    const text = this.text(key);
    if (text === undefined) return undefined;
    const found = words.find((word) => word === text);
    if (found === undefined) {
      const list = words.map((word) => `"${word}"`).join(", ");
      this.problems.error(
        this.line(key),
        `"${key}" is one of ${list}, not "${text}".`,
        text,
        words,
      );
    }
    return found;
  }

  record(key: string): Record<string, unknown> | undefined {
    const value = this.value(key);
    if (value === undefined) return undefined;
    return isRecord(value) ? value : this.#wrong(key, "a map of names and values");
  }

  #wrong(key: string, what: string): undefined {
    this.problems.error(this.line(key), `"${key}" has to be ${what}.`);
    return undefined;
  }
}

/** "a, b, c" */
export function splitList(text: string): string[] {
  return text
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "");
}

/** Whether two words differ by one letter, as after a slip of the finger. */
function isNear(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > 1) return false;
  let start = 0;
  while (start < one.length && one[start] === other[start]) start++;
  const [a, b] = [one.slice(start), other.slice(start)];
  return a.slice(1) === b || b.slice(1) === a || a.slice(1) === b.slice(1);
}
