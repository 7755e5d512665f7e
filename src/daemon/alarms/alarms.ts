import { statSync } from "node:fs";
import { join } from "node:path";
import type { HookRow, Reading } from "../../agents/index.ts";
import { addAlert, StateWatch } from "../../protection/index.ts";
import { projectRoot } from "../../settings/index.ts";
import type { Log } from "../log.ts";
import type { Session } from "../sessions/session.ts";
import { UnheardCalls } from "./unheard-calls.ts";

interface Parts {
  /** Seam's folder. */
  readonly store: string;
  readonly log: Log;
  /** Takes in hooks that wait in the spool. */
  readonly takeLate: () => void;
}

/** A hook that was understood. */
interface Heard {
  readonly session: Session;
  readonly row: HookRow;
  readonly reading: Reading;
}

/**
 * Looks, once a hook is answered, whether Seam was taken out or passed by: files that Seam relies
 * on and somebody changed, tool calls that ran without their hook. A person is told in the agent,
 * where it can show a message, in the log, by `seam status` and `seam doctor`.
 */
export class Alarms {
  readonly #parts: Parts;
  readonly #watch: StateWatch;
  readonly #calls = new WeakMap<Session, UnheardCalls>();
  readonly #roots = new WeakMap<Session, string>();
  /** Looks come one after the other: two at once would tell everything twice. */
  #last: Promise<void> = Promise.resolve();
  #waiting = 0;
  /** What was found out between hooks, for whoever speaks next. */
  readonly #found: string[] = [];

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#watch = new StateWatch(parts.store);
  }

  /**
   * Notes a hook that was read. Call the function it returns when the answer was delivered: from
   * then on the calls of the hook do not count as having run without one.
   */
  ask({ session, row, reading }: Heard): () => void {
    if (!row.events.includes("tool_call")) return () => {};
    return this.#callsOf(session).ask(reading);
  }

  look({ session, reading }: Omit<Heard, "row">): void {
    // Of several hooks at once only the last one looks: it sees what all of them would.
    if (this.#waiting > 1) return;
    this.#waiting++;
    this.#last = this.#last
      .then(() => this.#look(session, reading))
      .catch((error) => this.#parts.log.failed("Seam's own files could not be checked", error))
      .finally(() => {
        this.#waiting--;
      });
  }

  /** Something that concerns all sessions: the next one in which a hook arrives is told. */
  raise(text: string): void {
    this.#found.push(text);
  }

  async #look(session: Session, reading: Reading): Promise<void> {
    for (const text of this.#found.splice(0)) session.notice(`Seam: ${text}`);
    for (const text of await this.#watch.look(this.#rootOf(session))) this.#tell(session, text);
    const unheard = this.#unheard(session, reading);
    if (unheard !== undefined) this.#tell(session, unheard);
  }

  #unheard(session: Session, { transcriptPath }: Reading): string | undefined {
    const { transcript, type } = session.agent;
    if (transcriptPath === undefined || !transcript.namesCalls) return undefined;
    const calls = this.#callsOf(session);
    // Between `seam disable` and `seam enable` nobody could be asked, and the user wanted it so.
    const installs = statSync(join(this.#parts.store, "installs"), { throwIfNoEntry: false });
    const found = calls.look(transcriptPath, transcript, installs?.mtimeMs);
    if (found.length === 0) return undefined;
    this.#parts.takeLate();
    const unheard = calls.stillUnheard(found);
    if (unheard.length === 0) return undefined;
    const tools = [...new Set(unheard.map(({ tool }) => tool))].join(", ");
    const ids = unheard.map(({ id }) => id).join(", ");
    const count = unheard.length === 1 ? "a tool call" : `${unheard.length} tool calls`;
    const why = unheard.every(({ isAsked }) => isAsked)
      ? `without waiting for Seam's answer (${tools}; ${ids}): the hook client was ended while Seam decided, so no gate could stop it.`
      : `that Seam was never asked about (${tools}; ${ids}): the hook was kept from running, so no gate has seen it.`;
    return `${type} ran ${count} ${why} Run: seam doctor`;
  }

  #tell(session: Session, text: string): void {
    const { log, store } = this.#parts;
    log.warn(`${session.agent.name} ${session.id}: ${text}`);
    session.notice(`Seam: ${text}`);
    addAlert(store, text);
  }

  #callsOf(session: Session): UnheardCalls {
    const known = this.#calls.get(session) ?? new UnheardCalls();
    this.#calls.set(session, known);
    return known;
  }

  #rootOf(session: Session): string {
    const root = this.#roots.get(session) ?? projectRoot(session.cwd);
    this.#roots.set(session, root);
    return root;
  }
}

/** Whether an answer was delivered. Apart from all else, so that it does not hold on to a payload. */
export function deliveryOf(heard: (() => void) | undefined) {
  let isDone = false;
  const done = () => {
    isDone = true;
    heard?.();
  };
  return { done, isDone: () => isDone };
}
