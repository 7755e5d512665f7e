import { isRecord } from "../../values/index.ts";
import type { RequestId } from "../protocol.ts";

/** A request of the client that was not answered yet. */
interface Pending {
  readonly id: RequestId;
  readonly line: string;
  readonly method: string;
  /** It is under way: to do it again could do it twice. */
  hasBegun: boolean;
  /** How many daemons it has seen die. */
  losses: number;
}

type Json = Readonly<Record<string, unknown>>;

/** One that ends the daemon every time must not do so for ever. */
const MOST_LOSSES = 3;
/** More is not read by the daemon. */
const LONGEST_LINE = 8 * 1024 * 1024;

const INITIALIZE = "initialize";
const LISTEN = "subscriptions/listen";
const ACKNOWLEDGED = "notifications/subscriptions/acknowledged";
const CANCELLED = "notifications/cancelled";

const CODES = { parse: -32_700, invalid: -32_600, internal: -32_603 } as const;

/**
 * What the client and the daemon have said so far, as far as the next daemon has to know it. The
 * client speaks with one server from beginning to end, whichever daemon that is.
 */
export class PipeState {
  readonly #toClient: (line: string) => void;
  readonly #pending = new Map<string, Pending>();
  /** What the daemon asked the client, by the id the client knows. */
  readonly #asked = new Map<string, RequestId>();
  /** Answers and notices that the client has had from the daemon before. */
  readonly #unwanted = new Set<string>();
  #initialize: Json | undefined;
  #initialized: string | undefined;
  #daemons = 0;

  constructor(toClient: (line: string) => void) {
    this.#toClient = toClient;
  }

  /** What the client said to a daemon before, which has answered it. */
  restore(initialize: string, initialized: string): void {
    this.#initialize = parsed(initialize);
    this.#initialized = initialized === "" ? undefined : initialized;
    this.#daemons = 1;
  }

  /** A line of the client: what is to be passed on of it, if anything. */
  said(line: string): string | undefined {
    const message = parsed(line);
    if (!message) {
      this.#refuse(null, CODES.parse, "This is no JSON.");
      return undefined;
    }
    const { id, method } = message;
    if (line.length > LONGEST_LINE) {
      const text = `The message has ${line.length} characters; at most ${LONGEST_LINE} are read.`;
      if (isId(id)) this.#refuse(id, CODES.invalid, text);
      return undefined;
    }
    if (typeof method !== "string") return this.#answered(message);
    if (isId(id)) {
      this.#pending.set(keyOf(id), { id, line, method, hasBegun: false, losses: 0 });
      if (method === INITIALIZE) this.#initialize = message;
    } else if (method === "notifications/initialized") {
      this.#initialized = line;
    } else if (method === CANCELLED && isRecord(message.params)) {
      const { requestId } = message.params;
      if (isId(requestId)) this.#pending.delete(keyOf(requestId));
    }
    return line;
  }

  /** An answer of the client, under the id the daemon knows. */
  #answered(message: Json): string | undefined {
    const key = isId(message.id) ? keyOf(message.id) : "";
    const id = this.#asked.get(key);
    // It was asked by a daemon that is gone.
    if (id === undefined) return undefined;
    this.#asked.delete(key);
    return JSON.stringify({ ...message, id });
  }

  /** What a new daemon has to be told first. */
  begin(): string[] {
    const isFirst = this.#daemons++ === 0;
    const lines = [...this.#pending.values()].map(({ line }) => line);
    const isGreeting = [...this.#pending.values()].some(({ method }) => method === INITIALIZE);
    if (isFirst) return lines;
    for (const { id, method } of this.#pending.values()) {
      if (method === LISTEN) this.#unwanted.add(`${ACKNOWLEDGED} ${keyOf(id)}`);
    }
    if (!this.#initialize || isGreeting) return lines;
    const id = `seam-again-${this.#daemons}`;
    this.#unwanted.add(keyOf(id));
    const again = JSON.stringify({ ...this.#initialize, id });
    return [again, ...(this.#initialized === undefined ? [] : [this.#initialized]), ...lines];
  }

  /** A line of the daemon. */
  heard(line: string): void {
    const message = parsed(line);
    if (!message) return;
    const { id, method } = message;
    if (message.seam === "began") {
      const pending = isId(id) ? this.#pending.get(keyOf(id)) : undefined;
      if (pending) pending.hasBegun = true;
      return;
    }
    if (typeof method === "string") {
      if (this.#unwanted.delete(`${method} ${subscriptionIn(message)}`)) return;
      this.#toClient(isId(id) ? this.#question(message, id) : line);
      return;
    }
    const key = isId(id) ? keyOf(id) : "";
    if (this.#unwanted.delete(key)) return;
    this.#pending.delete(key);
    this.#toClient(line);
  }

  /** A question of the daemon, under an id that no other daemon uses. */
  #question(message: Json, id: RequestId): string {
    const own = `seam-${this.#daemons}-${id}`;
    this.#asked.set(keyOf(own), id);
    return JSON.stringify({ ...message, id: own });
  }

  /** The daemon is gone. Whether the next one is needed now: somebody waits for it. */
  lost(): boolean {
    for (const key of this.#asked.keys()) {
      this.#tell({ method: CANCELLED, params: { requestId: JSON.parse(key) } });
    }
    this.#asked.clear();
    this.#unwanted.clear();
    for (const pending of [...this.#pending.values()]) {
      pending.losses++;
      if (pending.hasBegun) this.#end(pending, CUT_OFF);
      else if (pending.losses >= MOST_LOSSES) this.#end(pending, DIED_OFTEN);
    }
    return this.#pending.size > 0;
  }

  /** There is no daemon to be had. */
  giveUp(why: string): void {
    for (const pending of [...this.#pending.values()]) {
      this.#end(pending, `Seam's daemon cannot be reached: ${why} See: seam doctor`);
    }
  }

  #end({ id }: Pending, text: string): void {
    this.#pending.delete(keyOf(id));
    this.#refuse(id, CODES.internal, text);
  }

  #refuse(id: RequestId | null, code: number, message: string): void {
    this.#tell({ id, error: { code, message } });
  }

  #tell(message: Json): void {
    this.#toClient(JSON.stringify({ jsonrpc: "2.0", ...message }));
  }
}

const CUT_OFF =
  "Seam's daemon ended while this was running. It may be done, in part or whole: look before you do it again.";
const DIED_OFTEN = "Seam's daemon ended each time this was asked of it. See: seam daemon logs";

function parsed(line: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isId(value: unknown): value is RequestId {
  return typeof value === "string" || typeof value === "number";
}

/** 1 and "1" are two ids. */
function keyOf(id: RequestId): string {
  return JSON.stringify(id);
}

const SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId";

/** Which of the client's subscriptions a notice is for. */
function subscriptionIn({ params }: Json): string {
  const meta = isRecord(params) ? params._meta : undefined;
  const id = isRecord(meta) ? meta[SUBSCRIPTION] : undefined;
  return isId(id) ? keyOf(id) : "";
}
