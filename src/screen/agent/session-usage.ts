import { basename } from "node:path";
import type { Model } from "../../events/index.ts";
import type { EmbeddedAgent } from "../../host/index.ts";

type Usage = {
  readonly tokens: { readonly input: number; readonly output: number; readonly cost: number };
  readonly context: EmbeddedAgent["contextUsage"];
};

/** What a session cost so far. Added up anew only when something was said since. */
export class SessionUsage {
  #known:
    | { readonly leaf: string | null; readonly session: string; readonly usage: Usage }
    | undefined;

  /** What of the agent stands in the footer. */
  facts(agent: EmbeddedAgent | undefined) {
    return {
      session: agent?.session.getSessionName(),
      model: agent?.model && shownModel(agent.model),
      thinking: agent?.thinkingLevel ?? "off",
      ...(agent
        ? this.#of(agent)
        : { tokens: { input: 0, output: 0, cost: 0 }, context: undefined }),
    };
  }

  #of(agent: EmbeddedAgent): Usage {
    const { session } = agent;
    const leaf = session.getLeafId();
    const id = session.getSessionId();
    if (this.#known?.leaf === leaf && this.#known.session === id) return this.#known.usage;
    const tokens = { input: 0, output: 0, cost: 0 };
    for (const entry of session.getEntries()) {
      if (entry.type !== "message" || entry.message.role !== "assistant") continue;
      const { input, output, cacheRead, cacheWrite, cost } = entry.message.usage;
      tokens.input += input + cacheRead + cacheWrite;
      tokens.output += output;
      tokens.cost += cost.total;
    }
    const usage = { tokens, context: agent.contextUsage };
    this.#known = { leaf, session: id, usage };
    return usage;
  }
}

/** A prepared model is known by its file: the whole path says no more. */
function shownModel({ provider, id }: Model): string {
  return provider === "scripted" ? `scripted:${basename(id)}` : `${provider}/${id}`;
}
