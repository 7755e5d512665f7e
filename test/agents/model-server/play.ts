import type { LateToolCall, Script, ToolCall, Turn } from "./script.ts";
import type { Asked, Wire } from "./wire.ts";

export interface SeenRequest extends Asked {
  readonly api: Wire["api"];
  readonly path: string;
  readonly body: unknown;
  /** `turn`: took the next turn of the script. `side`: the agent asked for itself, e.g. a title. */
  readonly kind: "turn" | "side";
  /** Which of the script's subagents asked. */
  readonly subagent?: number;
}

type PlannedTurn = Turn<ToolCall | LateToolCall>;

const OVER: Turn = { text: "There is no turn left in the script." };

/** One script while it is being played, and all that was asked. */
export class Play {
  readonly requests: SeenRequest[] = [];
  /** Requests that were not for an answer of the model, e.g. "GET /v1/models". */
  readonly probes: string[] = [];
  /** How often the agent came for a turn after the last one. */
  overrun = 0;
  readonly #script: Script;
  readonly #main: PlannedTurn[];
  readonly #subagents: PlannedTurn[][];

  constructor(script: Script) {
    this.#script = script;
    this.#main = [...script.turns];
    this.#subagents = (script.subagents ?? []).map(({ turns }) => [...turns]);
  }

  /** Turns nobody came for. */
  get unplayed(): number {
    return [this.#main, ...this.#subagents].reduce((sum, turns) => sum + turns.length, 0);
  }

  next(asked: Omit<SeenRequest, "kind" | "subagent">): Turn {
    // What an agent asks for itself (a title, a summary, a probe) gives the model no tools.
    if (asked.tools.length === 0) {
      this.requests.push({ ...asked, kind: "side" });
      return { text: this.#script.side ?? "Fine" };
    }
    const subagent = this.#subagentOf(asked);
    this.requests.push({ ...asked, kind: "turn", ...(subagent === -1 ? {} : { subagent }) });
    const turn = (this.#subagents[subagent] ?? this.#main).shift();
    if (turn) return settled(turn, asked);
    this.overrun += 1;
    return OVER;
  }

  #subagentOf({ heard }: Asked): number {
    const said = heard.filter(({ role }) => role === "user");
    return (this.#script.subagents ?? []).findIndex(({ prompt }) =>
      said.some(({ text }) => text.includes(prompt)),
    );
  }
}

function settled({ toolCalls, ...rest }: PlannedTurn, { heard }: Asked): Turn {
  rest.meanwhile?.();
  if (!toolCalls) return rest;
  const calls = toolCalls.map((call) => (typeof call === "function" ? call(heard) : call));
  return { ...rest, toolCalls: calls };
}
