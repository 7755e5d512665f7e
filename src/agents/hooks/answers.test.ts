import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { Compile } from "typebox/schema";
import { describe, expect, it } from "vitest";
import { runs } from "../../../test/setup/sample.ts";
import { POWERS, type Power } from "./power.ts";
import { anyHook, anyTold } from "./test-kit/arbitrary.ts";
import { HOOKED, HOOKS, type Hooked, recorded, said } from "./test-kit/payloads.ts";
import type { Told } from "./told.ts";

/** Each power alone. */
const ASKING: Record<Power, Told> = {
  block: { block: { reason: "no" } },
  ask: { ask: { reason: "sure?" } },
  rewrite_input: { input: { command: "true" } },
  replace_result: { result: { content: [{ type: "text", text: "other" }], isError: false } },
  add_context: { context: "more" },
  block_prompt: { prompt: { blocked: "no" } },
  rewrite_prompt: { prompt: { text: "other" } },
  continue: { goOn: "go on" },
  cancel: { cancel: { reason: "no" } },
  interrupt: { interrupt: { reason: "no more" } },
  message: { message: "look" },
};

describe.each(HOOKED)("%s", (agent) => {
  const { mapping, answer, canAsk } = HOOKS[agent];

  it("says something exactly where it has the power to", () => {
    for (const [hook, { powers }] of Object.entries(mapping)) {
      const { payload = {} } = recorded(agent).find((each) => each.hook === hook) ?? {};
      // A question is never left out: it becomes a block, see below.
      const spoken = POWERS.filter((power) => power !== "ask" || powers.includes("ask")).filter(
        (power) => {
          const { stdout, exitCode } = answer(hook, ASKING[power], payload);
          return stdout !== "" || exitCode !== 0;
        },
      );
      expect([hook, spoken]).toEqual([hook, powers]);
    }
  });

  it("a question is put where there is a dialog, and is a block everywhere else", () => {
    for (const [hook, { powers }] of Object.entries(mapping)) {
      if (!powers.includes("block")) continue;
      const payload = { ctx: { hasUI: true } };
      const block = said(agent, hook, { block: { reason: "sure?" } }, payload);
      const ask = said(agent, hook, ASKING.ask, payload);
      if (powers.includes("ask")) expect([hook, ask]).not.toEqual([hook, block]);
      else expect([hook, ask]).toEqual([hook, block]);
      expect(canAsk(hook, ASKING.ask, payload)).toBe(powers.includes("ask"));
    }
  });

  it("a block leaves no question", () => {
    for (const [hook, { powers }] of Object.entries(mapping)) {
      if (!powers.includes("block")) continue;
      const both = { ...ASKING.block, ...ASKING.ask };
      expect(said(agent, hook, both, {})).toEqual(said(agent, hook, ASKING.block, {}));
    }
  });

  it("a refusal leaves nothing else to say but that the turn ends, and a message", () => {
    const everything: Told = {
      ...Object.assign({}, ...Object.values(ASKING)),
      prompt: { blocked: "no", text: "other" },
    };
    for (const [hook, { powers }] of Object.entries(mapping)) {
      const final = powers.find((power) => ["block", "block_prompt", "cancel"].includes(power));
      if (!final) continue;
      const alone = { ...ASKING[final], ...ASKING.interrupt, ...ASKING.message };
      expect(said(agent, hook, everything, {})).toEqual(said(agent, hook, alone, {}));
    }
  });

  it("always gives a reason", () => {
    for (const [hook, { powers }] of Object.entries(mapping)) {
      for (const power of ["block", "block_prompt"] as const) {
        if (!powers.includes(power)) continue;
        const told = power === "block" ? { block: { reason: " " } } : { prompt: { blocked: "" } };
        const { stdout, stderr = "" } = answer(hook, told, {});
        expect(stdout + stderr).toContain("Not allowed.");
      }
    }
  });
});

/** Words that mean something else than they seem to: they must not be among what is said. */
const ALLOWED: Partial<Record<Hooked, Record<string, readonly string[]>>> = {
  "claude-code": { permissionDecision: ["deny"], decision: ["block"] },
  codex: { permissionDecision: ["deny", "allow"], decision: ["block"] },
  gemini: { decision: ["deny"] },
  "copilot-cli": { permissionDecision: ["deny", "allow"], decision: ["block"] },
  "factoryai-droid": { permissionDecision: ["deny", "allow"], decision: ["block"] },
  cursor: { permission: ["deny", "allow"] },
};

it.each(Object.keys(ALLOWED) as Hooked[])(
  "[claude-ask-is-deny] [claude-continue-false-runs] [gemini-ask-hangs] %s never asks and never ends the run",
  (agent) => {
    const { answer } = HOOKS[agent];
    fc.assert(
      fc.property(anyHook(agent), anyTold, ({ hook, payload }, told) => {
        const words: Record<string, unknown> = {};
        const { stdout } = answer(hook, { ...told, input: {} }, payload);
        if (stdout === "") return;
        JSON.parse(stdout, (key, value) => {
          words[key] = value;
          return value;
        });
        for (const [field, allowed] of Object.entries(ALLOWED[agent] ?? {})) {
          if (field in words) expect(allowed).toContain(words[field]);
        }
        if (agent !== "cursor") expect(words).not.toHaveProperty("continue");
      }),
      runs(150),
    );
  },
);

it("[copilot-flat-answers] Copilot and Cursor are answered without a wrapper", () => {
  for (const agent of ["copilot-cli", "cursor"] as const) {
    for (const [hook, { powers }] of Object.entries(HOOKS[agent].mapping)) {
      for (const power of powers) {
        expect(said(agent, hook, ASKING[power], {})).not.toHaveProperty("hookSpecificOutput");
      }
    }
  }
});

it("[claude-exit-2-leaks] [copilot-fails-closed] [cursor-exit-2-dumps] the exit code is 0", () => {
  for (const agent of ["claude-code", "copilot-cli", "cursor", "codex", "gemini"] as const) {
    for (const hook of Object.keys(HOOKS[agent].mapping)) {
      for (const power of POWERS) {
        expect(HOOKS[agent].answer(hook, ASKING[power], {}).exitCode).toBe(0);
      }
    }
  }
});

it("[claude-any-body-is-noise] with nothing to say, nothing is printed", () => {
  for (const agent of HOOKED) {
    for (const hook of Object.keys(HOOKS[agent].mapping)) {
      expect(HOOKS[agent].answer(hook, {}, {})).toEqual({ stdout: "", exitCode: 0 });
      expect(HOOKS[agent].answer(hook, { context: " ", message: "" }, {}).stdout).toBe("");
    }
  }
});

it("[gemini-clean-stdout] what is printed is one JSON object and nothing else", () => {
  const { stdout } = HOOKS.gemini.answer("BeforeTool", { block: { reason: "a\nb" } }, {});
  expect(stdout).toBe('{"decision":"deny","reason":"a\\nb"}');
});

describe("[codex-unknown-field] Codex's own schemas", () => {
  const folder = join(import.meta.dirname, "test-kit/codex-schemas");
  const schemaOf = (hook: string) => {
    const name = hook.replace(/(?<=[a-z])(?=[A-Z])/g, "-").toLowerCase();
    const file = join(folder, `${name}.command.output.schema.json`);
    return Compile(JSON.parse(readFileSync(file, "utf8")) as object);
  };
  const speaking = Object.entries(HOOKS.codex.mapping)
    .filter(([, { powers }]) => powers.length > 0)
    .map(([hook]) => hook);

  it.each(speaking)("accept everything that is said to %s", (hook) => {
    const schema = schemaOf(hook);
    fc.assert(
      fc.property(anyTold, (told) => {
        const { stdout } = HOOKS.codex.answer(hook, told, {});
        if (stdout !== "")
          expect([stdout, schema.Check(JSON.parse(stdout))]).toEqual([stdout, true]);
      }),
    );
  });

  it("would refuse one unknown field", () => {
    expect(schemaOf("PreToolUse").Check({ decision: "block", reason: "x", unknown: 1 })).toBe(
      false,
    );
  });
});

it("an interrupted turn ends where the agent has words for it, and its call does not run", () => {
  const told = { block: { reason: "stop" }, interrupt: { reason: "stop" } };
  // Claude Code ends it once a call is over; one that is about to run is denied.
  expect(said("claude-code", "PreToolUse", told, {})).not.toHaveProperty("continue");
  expect(said("claude-code", "PostToolUse", { interrupt: { reason: "stop" } }, {})).toEqual({
    continue: false,
    stopReason: "stop",
  });
  expect(said("gemini", "BeforeTool", told, {})).toMatchObject({ continue: false });
  expect(said("factoryai-droid", "PreToolUse", told, {})).toMatchObject({ continue: false });
  expect(said("pi", "tool_call", told, {})).toEqual({ block: true, reason: "stop", abort: true });
  expect(said("opencode", "tool.execute.before", told, {})).toEqual({ error: "stop", abort: true });
  for (const agent of ["codex", "copilot-cli", "cursor"] as const) {
    const rows = Object.values(HOOKS[agent].mapping);
    expect(rows.some(({ powers }) => powers.includes("interrupt"))).toBe(false);
  }
});
