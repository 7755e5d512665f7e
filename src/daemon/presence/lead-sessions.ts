import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { HookRow, HookSupport } from "../../agents/index.ts";
import type { Refusal } from "../../dispatch/index.ts";
import { SeamError } from "../../errors/index.ts";
import type { SeamEvent } from "../../events/index.ts";
import { readText, replaceFile } from "../../files/index.ts";
import { isRecord } from "../../values/index.ts";
import type { HookMoment } from "../inbox/hook-moment.ts";
import { type Inbox, SEAM } from "../inbox/inbox.ts";
import { HELD } from "../inbox/unanswered.ts";
import { keyOf, type SessionRef } from "./live-sessions.ts";

/** A session that can be spoken to. */
export interface LedSession {
  readonly agent: { readonly name: string; readonly type: string };
  readonly hooks: Pick<HookSupport, "mapping">;
  readonly id: string;
  readonly cwd: string;
  /** For the model, in order; hooks take them along. */
  readonly messages: { text: string; now: boolean }[];
}

/** A word to a session that has not reached it yet. */
interface Word extends SessionRef {
  readonly id: string;
  readonly text: string;
  /** The extension that says it; absent: a person does. */
  readonly by?: string;
}

/** When a word reaches a session. */
export type Reaches = "next step" | "when it stops";

const GO_ON = "go on";
const STOP = "stop this call";

/**
 * Holding sessions at their next tool call, and words that people say to them. Both are kept on disk
 * until they are done with.
 */
export class LedSessions {
  readonly #path: string;
  readonly #inbox: Inbox;
  readonly #held = new Map<string, SessionRef>();
  #words: Word[] = [];
  /** Which of a session's messages are words of a person's. */
  readonly #handed = new WeakMap<object, Word>();
  readonly #onChange: (ref: SessionRef) => void;

  constructor(folder: string, inbox: Inbox, onChange: (ref: SessionRef) => void) {
    this.#path = join(folder, "leading.json");
    this.#inbox = inbox;
    this.#onChange = onChange;
    const { held, words } = load(this.#path);
    for (const ref of held) this.#held.set(keyOf(ref), ref);
    this.#words = words;
  }

  isHeld(ref: SessionRef): boolean {
    return this.#held.has(keyOf(ref));
  }

  unheard(ref: SessionRef): number {
    return this.#words.filter((word) => keyOf(word) === keyOf(ref)).length;
  }

  /**
   * Makes a session wait at its next tool call. Throws if its agent has no hook that could do that.
   */
  hold({ agent, session }: SessionRef, led: Pick<LedSession, "agent" | "hooks">): void {
    const gates = Object.values(led.hooks.mapping).filter(isGate);
    if (gates.length === 0) {
      const what = "be held from outside";
      throw new SeamError("SEAM_SESSION_CANNOT", { agent: led.agent.type, what });
    }
    const ref = { agent, session };
    this.#held.set(keyOf(ref), ref);
    this.#save(ref);
  }

  /** Lets a session go on, and with it the call at which it waits. */
  release(ref: SessionRef, who: string): void {
    this.#held.delete(keyOf(ref));
    this.#save(ref);
    this.#inbox.settleAll(
      ({ agent, session, title }) => keyOf({ agent, session }) === keyOf(ref) && title === TITLE,
      { value: GO_ON, who },
    );
  }

  /** Says something to the model of a session. Throws if nothing reaches it. */
  say(led: LedSession, text: string, by?: string): Reaches {
    const rows = Object.values(led.hooks.mapping);
    const can = (power: "add_context" | "continue", ...events: SeamEvent["type"][]) =>
      rows.some(
        (row) => row.powers.includes(power) && events.some((name) => row.events.includes(name)),
      );
    const soon = can("add_context", "tool_call", "tool_result");
    const reaches = soon ? "next step" : can("continue", "agent_end") ? "when it stops" : undefined;
    if (reaches === undefined) {
      const what = "be told something while it works";
      throw new SeamError("SEAM_SESSION_CANNOT", { agent: led.agent.type, what });
    }
    const who = by === undefined ? {} : { by };
    const word = { agent: led.agent.name, session: led.id, id: randomUUID(), text, ...who };
    this.#words.push(word);
    this.#save(word);
    this.#hand(led, word);
    return reaches;
  }

  /** Gives a session that has just become known what was said to it before. */
  takeUp(led: LedSession): void {
    const ref = { agent: led.agent.name, session: led.id };
    for (const word of this.#words) if (keyOf(word) === keyOf(ref)) this.#hand(led, word);
  }

  /** Forgets the words that a hook has delivered. */
  delivered(led: LedSession): void {
    if (this.#words.length === 0) return;
    const ref = { agent: led.agent.name, session: led.id };
    const waiting = new Set(led.messages.map((message) => this.#handed.get(message)));
    const left = this.#words.filter((word) => keyOf(word) !== keyOf(ref) || waiting.has(word));
    if (left.length === this.#words.length) return;
    this.#words = left;
    this.#save(ref);
  }

  /** Resolves when a call may go on, or with why it must not. Undefined, at once, if nobody holds it. */
  pass(
    led: LedSession,
    events: readonly SeamEvent[],
    row: HookRow,
    moment: HookMoment,
  ): Promise<Refusal | undefined> | undefined {
    if (this.#held.size === 0) return undefined;
    const ref = { agent: led.agent.name, session: led.id };
    const isCall = isGate(row) && events.some(({ type }) => type === "tool_call");
    return isCall && this.isHeld(ref) ? this.#wait(ref, led, moment) : undefined;
  }

  async #wait(ref: SessionRef, led: LedSession, moment: HookMoment): Promise<Refusal | undefined> {
    const call = moment.call();
    const settled = await this.#inbox.ask({
      ...ref,
      key: moment.keyFor("hold"),
      cwd: led.cwd,
      method: "select",
      title: TITLE,
      message: call ? `It is about to run ${call.tool}.` : "It is about to go on.",
      choices: [GO_ON, STOP],
      by: SEAM,
      ...(call && { call }),
      deadline: moment.deadline,
      isPatient: true,
      otherwise: `The agent is told that the call is ${HELD}.`,
    });
    if ("value" in settled && settled.value === GO_ON) return undefined;
    if ("value" in settled) return { reason: "The user stopped this call.", by: "you" };
    return { reason: `This is ${HELD}. Nobody said no to it.`, by: "you" };
  }

  #hand(led: LedSession, word: Word): void {
    const message = { text: `${word.by ?? "The user"} says: ${word.text}`, now: true };
    this.#handed.set(message, word);
    led.messages.push(message);
  }

  #save(ref: SessionRef): void {
    const held = [...this.#held.values()];
    replaceFile(this.#path, `${JSON.stringify({ held, words: this.#words })}\n`);
    this.#onChange(ref);
  }
}

const TITLE = "Held at this call";

function isGate({ powers, events }: HookRow): boolean {
  return powers.includes("block") && events.includes("tool_call");
}

function load(path: string): { held: SessionRef[]; words: Word[] } {
  try {
    const value: unknown = JSON.parse(readText(path) ?? "{}");
    if (!isRecord(value)) return { held: [], words: [] };
    const { held, words } = value;
    return {
      held: Array.isArray(held) ? held.filter(isRef) : [],
      words: Array.isArray(words) ? words.filter(isWord) : [],
    };
  } catch {
    return { held: [], words: [] };
  }
}

function isRef(value: unknown): value is SessionRef {
  return isRecord(value) && typeof value.agent === "string" && typeof value.session === "string";
}

function isWord(value: unknown): value is Word {
  return isRef(value) && "text" in value && "id" in value && typeof value.text === "string";
}
