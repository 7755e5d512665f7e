import { Session } from "node:inspector";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Frame } from "./protocol.ts";

type Fields = Readonly<Record<string, unknown>>;

/** A call on the stack of a thread that is being held. */
interface Call {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly scriptId: string;
  readonly line: number;
  readonly column: number;
}

/**
 * What Node does after a callback, done for one that will never come to its end: without it,
 * timers would keep the process alive for ever, and immediates would be lost or spin.
 */
const TIDY: Readonly<Record<string, string>> = {
  listOnTimeout: "clearTimeout(timer)",
  processImmediate: "outstandingQueue.head = immediate._idleNext",
};

/** Inside these a thread cannot be stopped without ending the process. */
const DELICATE = /^node:(internal\/)?async_hooks$/;
const MOST_STEPS = 20;

/** The main thread, seen through Node's inspector. It answers even while code on it never yields. */
export class MainThread {
  readonly #session = new Session();
  /** Where scripts come from. */
  readonly #urls = new Map<string, string>();
  #isHeld = false;

  connect(): void {
    this.#session.connectToMainThread();
    this.#session.on("Debugger.scriptParsed", ({ params: { scriptId, url } }) => {
      this.#urls.set(scriptId, url);
    });
    this.#session.on("Debugger.paused", () => {
      this.#isHeld = true;
    });
    this.#session.on("Debugger.resumed", () => {
      this.#isHeld = false;
    });
  }

  /**
   * Holds it, and says what it was at. "deaf": it does not answer, so it is not running code.
   * "running": it does, and yet cannot be held, as in a recursion that has used up the stack.
   */
  async hold(ms: number): Promise<Call[] | "deaf" | "running"> {
    let isHeard = false;
    void this.#post("Debugger.enable").then(() => {
      isHeard = true;
    });
    let calls = await this.#paused("Debugger.pause", ms);
    for (let step = 0; calls && DELICATE.test(calls[0]?.url ?? "") && step < MOST_STEPS; step++) {
      calls = await this.#paused("Debugger.stepOut", ms);
    }
    if (calls) return calls;
    if (!isHeard) return "deaf";
    // Nothing may be evaluated as long as it may still be held: it would be held inside of that,
    // where it no longer hears anything.
    await this.#post("Debugger.disable");
    return "running";
  }

  /**
   * Lets it go on. Waits until it does: one that is still to be held when nobody is connected any
   * more would never be let go.
   */
  async release(): Promise<void> {
    // It may be held only now, by what was asked of it long ago.
    this.#session.on("Debugger.paused", () => void this.#post("Debugger.resume"));
    if (this.#isHeld) void this.#post("Debugger.resume");
    await this.#post("Debugger.disable");
    this.#session.disconnect();
  }

  /** Takes the thread away from whatever runs on it, down to the event loop. */
  async terminate(calls: readonly Call[]): Promise<void> {
    for (const [index, { id, name, url }] of calls.entries()) {
      const expression = url.startsWith("node:") ? TIDY[name] : undefined;
      // What runs between two callbacks is not in any of them.
      if (!expression || calls[index - 1]?.name === "runNextTicks") continue;
      await this.#post("Debugger.evaluateOnCallFrame", {
        callFrameId: id,
        expression,
        silent: true,
      });
    }
    void this.#post("Runtime.terminateExecution");
    await this.#post("Debugger.resume");
  }

  /** The value of an expression; undefined if it has none in time. */
  async evaluate(expression: string, ms: number): Promise<unknown> {
    const options = { expression, returnByValue: true, silent: true };
    const answer = await Promise.race([this.#post("Runtime.evaluate", options), sleep(ms)]);
    const { result, exceptionDetails } = fieldsOf(answer);
    return exceptionDetails ? undefined : fieldsOf(result).value;
  }

  async source(scriptId: string): Promise<string> {
    const { scriptSource } = fieldsOf(await this.#post("Debugger.getScriptSource", { scriptId }));
    return typeof scriptSource === "string" ? scriptSource : "";
  }

  #paused(method: string, ms: number): Promise<Call[] | undefined> {
    return new Promise((resolve) => {
      const timer = setTimeout(done, ms);
      const session = this.#session;
      const urls = this.#urls;
      function done(message?: { readonly params: unknown }) {
        clearTimeout(timer);
        session.off("Debugger.paused", done);
        resolve(message && callsOf(message.params, urls));
      }
      session.on("Debugger.paused", done);
      void this.#post(method);
    });
  }

  /** The answer; undefined if it was refused. */
  #post(method: string, params: object = {}): Promise<unknown> {
    return new Promise((resolve) => {
      try {
        this.#session.post(method, params, (_error: Error | null, answer?: object) =>
          resolve(answer),
        );
      } catch {
        resolve(undefined);
      }
    });
  }
}

/** The lines of calls that are not Node's own. */
export function framesOf(calls: readonly Call[]): Frame[] {
  return calls.flatMap(({ url, line }) => {
    if (url === "" || url.startsWith("node:")) return [];
    return [{ file: url.startsWith("file:") ? fileURLToPath(url) : url, line: line + 1 }];
  });
}

function callsOf(params: unknown, urls: ReadonlyMap<string, string>): Call[] {
  const { callFrames } = fieldsOf(params);
  if (!Array.isArray(callFrames)) return [];
  return callFrames.map((frame: unknown) => {
    const { callFrameId, functionName, location } = fieldsOf(frame);
    const { scriptId, lineNumber, columnNumber } = fieldsOf(location);
    return {
      id: String(callFrameId),
      name: String(functionName),
      url: urls.get(String(scriptId)) ?? "",
      scriptId: String(scriptId),
      line: Number(lineNumber),
      column: Number(columnNumber),
    };
  });
}

function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}
