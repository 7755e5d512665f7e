import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Decision, UNDECIDED } from "../../dispatch/index.ts";
import { NO_ANSWER } from "./hook-answer.ts";
import { POWERS, type Power } from "./power.ts";
import type { Reading } from "./reading.ts";
import { type Hearer, tell } from "./tell.ts";
import type { Told } from "./told.ts";

/** The powers of which an agent needs one to be told this. */
const NEEDS: { readonly [Key in keyof Told]-?: readonly Power[] } = {
  block: ["block"],
  ask: ["ask"],
  input: ["rewrite_input"],
  result: ["replace_result"],
  context: ["add_context"],
  prompt: ["block_prompt", "rewrite_prompt"],
  goOn: ["continue"],
  cancel: ["cancel"],
  interrupt: ["interrupt"],
  message: ["message"],
  // It is kept for the record: nothing has to be said to the agent.
  allowed: POWERS,
};

const tool = (name: string) => ({
  name,
  nativeName: name,
  input: {},
  nativeInput: {},
  callId: "c",
});

function hearer(powers: readonly Power[], more: Partial<Hearer> = {}): Hearer {
  const reading: Reading = {
    sessionId: "s",
    prompt: "please",
    tools: [tool("bash"), tool("edit")],
  };
  return {
    agentType: "Agent",
    hooks: {
      nativeInput: (_, input) => ("no" in input ? undefined : { native: input }),
      canAsk: () => powers.includes("ask"),
      answer: () => NO_ANSWER,
    },
    hook: "PreToolUse",
    payload: {},
    row: { events: ["tool_call", "input", "agent_end"], powers },
    reading,
    messages: [],
    notices: [],
    ...more,
  };
}

const names = fc.array(fc.constantFrom("a", "b"), { minLength: 1, maxLength: 2 });
const said = fc.record({ reason: fc.string(), by: fc.constantFrom("a", "b") });
const decisions: fc.Arbitrary<Decision> = fc
  .record(
    {
      block: said,
      ask: fc.record({
        reason: fc.string(),
        by: fc.constantFrom("a", "b"),
        unanswered: fc.constantFrom("block" as const, "allow" as const),
      }),
      inputs: fc.array(
        fc.record({
          index: fc.constantFrom(0, 1, 7),
          input: fc.oneof(fc.constant({ no: 1 }), fc.constant({ command: "x" })),
          by: names,
        }),
        { maxLength: 2 },
      ),
      results: fc.array(
        fc.record({
          index: fc.constant(0),
          content: fc.constant([{ type: "text" as const, text: "r" }]),
          isError: fc.boolean(),
          by: names,
        }),
        { maxLength: 2 },
      ),
      context: fc.array(fc.string({ minLength: 1 }), { maxLength: 2 }),
      prompt: fc.oneof(
        fc.record({ handledBy: fc.constant("a"), by: names }),
        fc.record({ text: fc.constantFrom("please", "brief: please", "other"), by: names }),
      ),
      cancel: said,
      unsaid: fc.constant([]),
    },
    { requiredKeys: ["inputs", "results", "context", "unsaid"] },
  )
  .map((decision) => decision as Decision);

describe("whatever is decided and whatever the agent can do", () => {
  it("says only what the agent has a power for", () => {
    fc.assert(
      fc.property(decisions, fc.subarray([...POWERS]), (decision, powers) => {
        const { told } = tell(decision, hearer(powers));
        for (const key of Object.keys(told) as (keyof Told)[]) {
          expect(NEEDS[key].some((power) => powers.includes(power))).toBe(true);
        }
      }),
    );
  });

  it("never lets a changed input run as it was", () => {
    fc.assert(
      fc.property(decisions, fc.subarray([...POWERS]), (decision, powers) => {
        fc.pre(decision.inputs.length > 0);
        const { told, unsaid } = tell(decision, hearer(powers));
        const isKept = told.block !== undefined || told.input !== undefined;
        expect(isKept || unsaid.length > 0).toBe(true);
        if (powers.includes("block")) expect(isKept).toBe(true);
      }),
    );
  });

  it("keeps what this hook cannot carry for one that can", () => {
    fc.assert(
      fc.property(fc.array(fc.record({ text: fc.string(), now: fc.boolean() })), (messages) => {
        const waiting = [...messages];
        const silent = hearer(["block"], { messages: waiting });
        expect(tell(UNDECIDED, silent).told).toEqual({});
        expect(waiting).toEqual(messages);
        const { told } = tell(UNDECIDED, hearer(["add_context"], { messages: waiting }));
        if (messages.length > 0) {
          expect(told.context).toBe(messages.map(({ text }) => text).join("\n\n"));
        }
        expect(waiting).toEqual([]);
      }),
    );
  });
});

it("does not send an agent back to work that was told to end", () => {
  const messages = [{ text: "go on", now: true }];
  const base = hearer(["continue"], { messages });
  const ending = { ...base, reading: { ...base.reading, end: { reason: "quit" as const } } };
  expect(tell(UNDECIDED, ending).told).toEqual({});
  expect(tell(UNDECIDED, base).told).toEqual({ goOn: "go on" });
});

it("keeps what extensions have to say to the model while the agent is told no", () => {
  const refusals: [Power, Partial<Decision>][] = [
    ["block", { block: { reason: "no" } }],
    ["block_prompt", { prompt: { handledBy: "a", by: ["a"] } }],
    ["cancel", { cancel: { reason: "no" } }],
  ];
  for (const [power, refusal] of refusals) {
    const messages = [{ text: "later", now: false }];
    const notices = ["for the user"];
    const powers: Power[] = [power, "add_context", "message"];
    const { told } = tell({ ...UNDECIDED, ...refusal }, hearer(powers, { messages, notices }));
    expect([power, told.context, messages.length]).toEqual([power, undefined, 1]);
    expect(told.message).toBe("for the user");
  }
});

it("keeps what extensions have to say to the user when the answer is an exit code", () => {
  const notices = ["for the user", "and this"];
  const at = hearer(["block", "message"], { notices });
  const answer = () => ({ stdout: "", stderr: "no", exitCode: 2 });
  const refusing = { ...at, hooks: { ...at.hooks, answer } };
  const { told } = tell({ ...UNDECIDED, block: { reason: "no" } }, refusing);
  expect(told).toEqual({ block: { reason: "no" } });
  expect(tell(UNDECIDED, at).told).toEqual({ message: "for the user\nand this" });
  expect(notices).toEqual([]);
});
