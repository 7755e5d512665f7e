import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { EventMap } from "../events/index.ts";
import {
  beforeFork,
  contextOf,
  DECIDED,
  discover,
  extension,
  idle,
  said,
  setUp,
  toolCall,
  turnStart,
  userBash,
} from "./test-kit.ts";

/** One handler: what it does, and after how many waits. None: it returns at once. */
interface Plan<Does extends string> {
  does: Does;
  waits: number;
}

/** The handlers of one session: a list per extension. */
function plans<const Does extends string>(...does: Does[]): fc.Arbitrary<Plan<Does>[][]> {
  const plan = fc.record({ does: fc.constantFrom(...does), waits: fc.nat({ max: 3 }) });
  return fc.array(fc.array(plan, { maxLength: 3 }), { maxLength: 4 });
}

async function later<T>(waits: number, act: () => T): Promise<T> {
  for (let i = 0; i < waits; i++) await null;
  return act();
}

function now<T>(waits: number, act: () => T): T | Promise<T> {
  return waits === 0 ? act() : later(waits, act);
}

type Step<Does extends string> = Plan<Does> & { id: string; by: string };

/** The order in which handlers are to be asked, as an independent list. */
function inOrder<Does extends string>(session: Plan<Does>[][]): Step<Does>[] {
  return session.flatMap((handlers, i) =>
    handlers.map((plan, j) => ({ ...plan, by: `ext${i}`, id: `ext${i}#${j}` })),
  );
}

/** A dispatcher whose handlers follow the plans, and the list of those that were started. */
function build<Does extends string, Event>(
  type: EventMap[keyof EventMap]["type"],
  session: Plan<Does>[][],
  act: (step: Step<Does>, event: Event) => unknown,
  onStart: (id: string) => void = () => {},
) {
  const { dispatcher, problems } = setUp();
  const started: string[] = [];
  const owners = session.map((_, i) => extension(`ext${i}`));
  for (const owner of owners) dispatcher.addOwner(owner);
  // Subscribed back to front: the order is that of the extensions, not of the subscriptions.
  for (const [i, owner] of [...owners.entries()].reverse()) {
    for (const step of inOrder(session).filter(({ by }) => by === `ext${i}`)) {
      dispatcher.on(owner, type, (event: Event) => {
        started.push(step.id);
        onStart(step.id);
        return now(step.waits, () => act(step, event));
      });
    }
  }
  return { dispatcher, problems, started };
}

const fail = (id: string): never => {
  throw new Error(id);
};

it("gate: the decision is that of the first handler that blocks or fails, and nobody after it ran", async () => {
  await fc.assert(
    fc.asyncProperty(
      plans("nothing", "edit", "return", "tell", "throw", "block"),
      async (session) => {
        const { dispatcher, started, problems } = build(
          "tool_call",
          session,
          ({ does, id }, { input }: EventMap["tool_call"]) => {
            if (does === "throw") return fail(id);
            if (does === "block") return { block: true, reason: id };
            if (does === "tell") return { additionalContext: id };
            if (does === "edit") input[id] = true;
            return does === "return" ? { input: { ...input, [id]: true } } : undefined;
          },
        );
        const expected = {
          started: [] as string[],
          input: {} as Record<string, unknown>,
          changedBy: new Set<string>(),
          told: [] as string[],
          end: undefined as Step<string> | undefined,
        };
        for (const step of inOrder(session)) {
          expected.started.push(step.id);
          if (step.does === "throw" || step.does === "block") {
            expected.end = step;
            break;
          }
          if (step.does === "tell") expected.told.push(step.id);
          if (step.does !== "edit" && step.does !== "return") continue;
          expected.input[step.id] = true;
          expected.changedBy.add(step.by);
        }
        const decision = await dispatcher.emit(toolCall({}));
        expect(started).toEqual(expected.started);
        expect(decision.blocked).toBe(expected.end !== undefined);
        expect(decision.by).toBe(expected.end?.by);
        expect(decision.failed ?? false).toBe(expected.end?.does === "throw");
        if (expected.end) expect(decision.reason).toContain(expected.end.id);
        expect(decision.event.input).toEqual(expected.input);
        expect(decision.changedBy).toEqual([...expected.changedBy]);
        expect(decision.result?.additionalContext).toBe(expected.told.join("\n") || undefined);
        expect(problems).toHaveLength(expected.end?.does === "throw" ? 1 : 0);
      },
    ),
  );
});

it("gate that stays open: failures are passed over, the first cancel wins", async () => {
  await fc.assert(
    fc.asyncProperty(plans("nothing", "skip", "throw", "cancel"), async (session) => {
      const { dispatcher, started, problems } = build(
        "session_before_fork",
        session,
        ({ does, id }) => {
          if (does === "throw") return fail(id);
          if (does === "skip") return { skipConversationRestore: true };
          return does === "cancel" ? { cancel: true } : undefined;
        },
      );
      const steps = inOrder(session);
      const end = steps.findIndex(({ does }) => does === "cancel");
      const asked = end < 0 ? steps : steps.slice(0, end + 1);
      const decision = await dispatcher.emit(beforeFork());
      expect(started).toEqual(asked.map(({ id }) => id));
      expect(decision.blocked).toBe(end >= 0);
      expect(decision.by).toBe(steps[end]?.by);
      expect(decision.result?.skipConversationRestore ?? false).toBe(
        asked.some(({ does }) => does === "skip"),
      );
      expect(problems).toHaveLength(asked.filter(({ does }) => does === "throw").length);
    }),
  );
});

it("transform: the event is what the handlers that succeeded made of it, one after the other", async () => {
  const DOES = ["nothing", "push", "return", "clear", "throw", "push and throw"] as const;
  await fc.assert(
    fc.asyncProperty(plans(...DOES), async (session) => {
      const { dispatcher, started, problems } = build(
        "context",
        session,
        ({ does, id }, { messages }: EventMap["context"]) => {
          if (does.startsWith("push")) messages.push(said(id));
          if (does.endsWith("throw")) return fail(id);
          if (does === "return") return { messages: [said(id), ...messages] };
          if (does === "clear") messages.length = 0;
          return undefined;
        },
      );
      let expected = ["start"];
      const changedBy = new Set<string>();
      for (const { does, id, by } of inOrder(session)) {
        const before = expected;
        if (does === "push") expected = [...expected, id];
        if (does === "return") expected = [id, ...expected];
        if (does === "clear") expected = [];
        if (expected.length !== before.length) changedBy.add(by);
      }
      const event = contextOf("start");
      const decision = await dispatcher.emit(event);
      expect(started).toEqual(inOrder(session).map(({ id }) => id));
      expect(decision.event).toEqual(contextOf(...expected));
      expect(decision.changedBy).toEqual([...changedBy]);
      expect(event).toEqual(contextOf("start"));
      expect(problems).toHaveLength(
        inOrder(session).filter(({ does }) => does.endsWith("throw")).length,
      );
    }),
  );
});

it("claim: the first answer wins, nobody after it is asked", async () => {
  await fc.assert(
    fc.asyncProperty(plans("nothing", "throw", "answer"), async (session) => {
      const answer = (id: string) => ({ result: { output: id } });
      const { dispatcher, started } = build("user_bash", session, ({ does, id }) => {
        if (does === "throw") return fail(id);
        return does === "answer" ? answer(id) : undefined;
      });
      const steps = inOrder(session);
      const end = steps.findIndex(({ does }) => does === "answer");
      const winner = steps[end];
      expect(await dispatcher.emit(userBash())).toEqual({
        aborted: false,
        ...(winner && { by: winner.by, result: answer(winner.id) }),
      });
      const asked = winner ? steps.slice(0, end + 1) : steps;
      expect(started).toEqual(asked.map(({ id }) => id));
    }),
  );
});

it("collect: everybody is asked, all answers come back in order with their origin", async () => {
  await fc.assert(
    fc.asyncProperty(plans("nothing", "throw", "answer"), async (session) => {
      const { dispatcher, started } = build("resources_discover", session, ({ does, id }) => {
        if (does === "throw") return fail(id);
        return does === "answer" ? { skillPaths: [id] } : undefined;
      });
      const { results } = await dispatcher.emit(discover());
      expect(started).toEqual(inOrder(session).map(({ id }) => id));
      expect(results).toEqual(
        inOrder(session)
          .filter(({ does }) => does === "answer")
          .map(({ by, id }) => ({ by, result: { skillPaths: [id] } })),
      );
    }),
  );
});

describe("nothing runs after an abort", () => {
  it.each(DECIDED)("$kind", async ({ event }) => {
    await fc.assert(
      fc.asyncProperty(
        plans("nothing", "throw", "abort", "abort and throw"),
        fc.nat({ max: 12 }),
        async (session, waits) => {
          const controller = new AbortController();
          const afterwards: string[] = [];
          const { dispatcher, started } = build(
            event.type,
            session,
            ({ does, id }) => {
              if (does.startsWith("abort")) controller.abort();
              if (does.endsWith("throw")) fail(id);
            },
            (id) => controller.signal.aborted && afterwards.push(id),
          );
          // A failing tool_call ends the chain by itself; the rule has to hold there as well.
          const decision = dispatcher.emit(event, { signal: controller.signal });
          await later(waits, () => controller.abort());
          const { aborted } = await decision;
          const atTheEnd = started.length;
          await idle();
          expect(afterwards).toEqual([]);
          expect(started).toHaveLength(atTheEnd);
          const all = inOrder(session).map(({ id }) => id);
          expect(started).toEqual(all.slice(0, atTheEnd));
          if (event.type !== "tool_call" && !aborted) expect(started).toEqual(all);
        },
      ),
    );
  });
});

it("observe: each extension sees the events in the order they were emitted, whatever its delays", async () => {
  const delays = fc.array(fc.nat({ max: 4 }), { minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(delays, { minLength: 1, maxLength: 2 }), { minLength: 1, maxLength: 3 }),
      fc.array(fc.record({ pause: fc.boolean(), second: fc.boolean() }), { maxLength: 15 }),
      async (extensions, emissions) => {
        const { dispatcher, problems } = setUp();
        const seen = extensions.map((): string[] => []);
        const done = extensions.map((): string[] => []);
        for (const [i, handlers] of extensions.entries()) {
          const owner = extension(`ext${i}`);
          for (const [j, waits] of handlers.entries()) {
            let calls = 0;
            const run = (id: number) => {
              seen[i]?.push(`${id}#${j}`);
              return now(waits[calls++ % waits.length] ?? 0, () => {
                done[i]?.push(`${id}#${j}`);
              });
            };
            dispatcher.on(owner, "turn_start", (event: EventMap["turn_start"]) =>
              run(event.turnIndex),
            );
            dispatcher.on(owner, "agent_start", (event: EventMap["agent_start"]) =>
              run(Number(event.prompt)),
            );
          }
        }
        for (const [id, { pause, second }] of emissions.entries()) {
          dispatcher.emit(second ? { type: "agent_start", prompt: `${id}` } : turnStart(id));
          if (pause) await null;
        }
        await dispatcher.settled();
        for (const [i, handlers] of extensions.entries()) {
          const expected = emissions.flatMap((_, id) => handlers.map((_, j) => `${id}#${j}`));
          expect(seen[i]).toEqual(expected);
          // One at a time: the next is not started before the one before is done.
          expect(done[i]).toEqual(expected);
        }
        expect(problems).toEqual([]);
      },
    ),
  );
});
