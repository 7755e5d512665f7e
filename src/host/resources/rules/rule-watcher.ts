import { type Context, createContext, Script } from "node:vm";
import type { Rule } from "../../../events/index.ts";
import type { WatchedRule } from "./find-rules.ts";
import { patternOf } from "./pattern-of.ts";

/** How much of what was said is looked at. A match longer than half of it may be missed. */
const WINDOW = 10_000;
/** What all patterns together may take for one piece of text. */
const CHECK_MS = 250;
/** A busy machine can make any pattern late once. */
const STRIKES = 3;

export interface RuleWatcherOptions {
  /** Names of rules that triggered in this session already. */
  triggered?: Iterable<string>;
  /** Is called when a rule is given up because its patterns take too long. */
  onTooSlow?: (rule: WatchedRule) => void;
}

interface Watched {
  rule: WatchedRule;
  patterns: RegExp[];
  /** Text before this place has triggered the rule already. */
  from: number;
  strikes: number;
}

/**
 * Reads along with what the model writes and says which rules it runs into. Memory is bounded by
 * the window. Time is too: a pattern that backtracks without end is stopped, and dropped when that
 * keeps happening, so the worst a rule can cost a session is three times a quarter of a second.
 *
 * @example
 * const watcher = new RuleWatcher(findRules({ cwd }).rules);
 * watcher.startMessage();
 * const hit = watcher.feed(delta, contentIndex);
 * if (hit.length > 0) interrupt(ruleMessage(hit));
 */
export class RuleWatcher {
  readonly #onTooSlow: (rule: WatchedRule) => void;
  #watched: Watched[];
  #block = 0;
  #window = "";
  /** How much of the block has been read in all. */
  #end = 0;

  constructor(rules: readonly WatchedRule[], options: RuleWatcherOptions = {}) {
    const triggered = new Set(options.triggered);
    this.#onTooSlow = options.onTooSlow ?? (() => {});
    this.#watched = rules
      .filter(({ name, repeat }) => repeat || !triggered.has(name))
      .map((rule) => ({ rule, patterns: rule.condition.map(patternOf), from: 0, strikes: 0 }));
  }

  /** Forgets what was said: patterns do not reach from one answer into the next. */
  startMessage(): void {
    this.#startBlock(0);
  }

  /**
   * Takes the next piece of text of a block (its `contentIndex`) and returns the rules that match
   * now. Pass text and the text of tool-call arguments.
   */
  feed(delta: string, block = 0): WatchedRule[] {
    if (this.#watched.length === 0) return [];
    if (block !== this.#block) this.#startBlock(block);
    const hits: WatchedRule[] = [];
    // A provider that does not stream sends everything at once: no part of it may slip through.
    for (let at = 0; at < delta.length; at += WINDOW / 2) {
      const piece = delta.slice(at, at + WINDOW / 2);
      this.#window = (this.#window + piece).slice(-WINDOW);
      this.#end += piece.length;
      hits.push(...this.#check());
    }
    return [...new Set(hits)];
  }

  #startBlock(block: number): void {
    this.#block = block;
    this.#window = "";
    this.#end = 0;
    for (const watched of this.#watched) watched.from = 0;
  }

  #check(): WatchedRule[] {
    const hits: Watched[] = [];
    const waiting = [...this.#watched];
    while (waiting.length > 0) {
      let current: Watched | undefined;
      const finished = withinTime(() => {
        for (current = waiting.shift(); current; current = waiting.shift()) {
          if (this.#matches(current)) hits.push(current);
        }
      }, CHECK_MS);
      if (!finished && current) this.#strike(current);
    }
    for (const hit of hits) hit.from = this.#end;
    this.#watched = this.#watched.filter((one) => one.rule.repeat || !hits.includes(one));
    return hits.map(({ rule }) => rule);
  }

  #matches({ patterns, from }: Watched): boolean {
    const start = this.#end - this.#window.length;
    const text = this.#window.slice(Math.max(0, from - start));
    return patterns.some((pattern) => pattern.test(text));
  }

  #strike(watched: Watched): void {
    watched.strikes++;
    if (watched.strikes < STRIKES) return;
    this.#watched = this.#watched.filter((one) => one !== watched);
    this.#onTooSlow(watched.rule);
  }
}

let script: Script | undefined;
let context: Context | undefined;

/**
 * Runs a function and stops it when it takes too long, also inside a regular expression that
 * backtracks for ever: nothing else in the process can interrupt one. False if it was stopped.
 */
function withinTime(run: () => void, ms: number): boolean {
  script ??= new Script("run()");
  context ??= createContext({});
  context.run = run;
  try {
    script.runInContext(context, { timeout: ms });
    return true;
  } catch (error) {
    if (isTimeout(error)) return false;
    throw error;
  } finally {
    context.run = undefined;
  }
}

/** Not an `instanceof` check: the error comes from the other context. */
function isTimeout(error: unknown): boolean {
  if (typeof error !== "object" || error === null || !("code" in error)) return false;
  return error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT";
}

/** What the model is told when its answer was stopped by rules. */
export function ruleMessage(rules: readonly Rule[]): string {
  const [subject, them] = rules.length === 1 ? ["a rule", "it"] : ["rules", "them"];
  const intro = `Your last answer was stopped because it ran into ${subject} that the user has set up. Answer again, and keep to ${them} from now on.`;
  return [intro, ...rules.map(oneRule)].join("\n\n");
}

function oneRule({ name, globs = [], content }: Rule): string {
  const files = globs.length > 0 ? ` files="${globs.join(", ")}"` : "";
  return `<rule name="${name}"${files}>\n${content}\n</rule>`;
}
