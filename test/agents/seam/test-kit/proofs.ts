import { agentNamed, type Power } from "../../../../src/agents/index.ts";
import type { EventName } from "../../../../src/events/index.ts";
import type { AgentName } from "../../drive/agent.ts";

type Fact = Power | "arrives";

/** What the mapping says was seen on the real program, and what really was. */
export class Proofs {
  readonly #events: ReadonlySet<EventName>;
  readonly #claims: readonly { readonly hook: string; readonly fact: Fact }[];
  readonly #proved = new Set<string>();

  constructor(agent: AgentName) {
    const mapping = agentNamed(agent)?.hooks?.mapping ?? {};
    this.#events = new Set(Object.values(mapping).flatMap(({ events }) => events));
    this.#claims = Object.entries(mapping).flatMap(([hook, { evidence }]) =>
      Object.entries(evidence ?? {})
        .filter(([, known]) => known === "real")
        .map(([fact]) => ({ hook, fact: fact as Fact })),
    );
  }

  fires(event: EventName): boolean {
    return this.#events.has(event);
  }

  /** The hooks for which this is claimed. */
  hooks(fact: Fact): string[] {
    return this.#claims.filter((claim) => claim.fact === fact).map(({ hook }) => hook);
  }

  claims(fact: Fact): boolean {
    return this.hooks(fact).length > 0;
  }

  proved(fact: Fact, hooks: readonly string[] = this.hooks(fact)): void {
    for (const hook of hooks) this.#proved.add(`${hook}: ${fact}`);
  }

  get claimed(): string[] {
    return this.#claims.map(({ hook, fact }) => `${hook}: ${fact}`).sort();
  }

  get found(): string[] {
    return [...this.#proved].sort();
  }
}
