import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sampled } from "../setup/sample.ts";
import { AGENT_NAMES, type AgentName, type Consent } from "./drive/agent.ts";
import { AGENTS } from "./drive/agents/index.ts";
import { whyNotRun } from "./drive/installed.ts";
import { launch, prepareHome } from "./drive/launch.ts";
import { type NewPlace, newPlace } from "./drive/place.ts";
import { trustCodexHooks } from "./drive/trust-codex-hooks.ts";
import { installProbe } from "./hook-probe/install-probe.ts";
import { PROBES } from "./hook-probe/probes.ts";

let place: NewPlace;
beforeEach(() => {
  place = newPlace();
});
afterEach(() => place.remove());

/** One prompt with one command, with hooks that keep what comes. */
async function probed(agent: AgentName, consent: Partial<Consent> = {}) {
  const probe = installProbe(agent, place);
  const run = await launch({
    agent,
    ...place,
    consent,
    prompt: "please go",
    script: [{ toolCalls: [{ do: "shell", command: "printf said-by-%d 42" }] }, { text: "Done." }],
  });
  return { probe, run };
}

function testOf(agent: AgentName) {
  return it.skipIf(whyNotRun(AGENTS[agent]) !== undefined);
}

describe.each(sampled(AGENT_NAMES, "claude-code", "codex", "gemini"))("hooks of %s", (agent) => {
  const reason = whyNotRun(AGENTS[agent]);
  const note = reason === undefined ? "" : ` (not run: ${reason})`;

  testOf(agent)(`hear of the session, the prompt, the tool and the stop${note}`, async () => {
    const { probe, run } = await probed(agent);
    expect(run, run.stderr).toMatchObject({ code: 0, unplayed: 0, overrun: 0 });
    const { start, prompt, before, after, stop } = PROBES[agent].events;
    const payload = (event: string) => {
      const found = probe.of(event);
      expect(found, event).toHaveLength(1);
      return JSON.stringify(found);
    };
    payload(start);
    expect(payload(prompt)).toContain("please go");
    expect(payload(before)).toContain("printf said-by-%d 42");
    expect(payload(after)).toContain("said-by-42");
    payload(stop);
  });
});

describe("what the user did not agree to", () => {
  testOf("codex")("keeps hooks of Codex silent until they are trusted", async () => {
    const { probe, run } = await probed("codex", { hooks: false });
    expect(run.code).toBe(0);
    expect(probe.payloads()).toEqual([]);
  });

  testOf("codex")("lets hooks of Codex run once the user trusts them as they are", async () => {
    await prepareHome("codex", place);
    installProbe("codex", place);
    expect(trustCodexHooks(place, join(place.cwd, PROBES.codex.file))).toBe(5);
    const { probe } = await probed("codex", { hooks: false });
    expect(probe.of("PreToolUse")).toHaveLength(1);
  });

  testOf("copilot-cli")("keeps hooks of Copilot CLI silent in a folder not trusted", async () => {
    const { probe, run } = await probed("copilot-cli", { folder: false });
    expect(run.code).toBe(0);
    expect(probe.payloads()).toEqual([]);
  });

  testOf("gemini")("keeps Gemini CLI from starting in a folder not trusted", async () => {
    const { probe, run } = await probed("gemini", { folder: false });
    expect(run.code).toBe(55);
    expect(run.requests).toEqual([]);
    expect(probe.payloads()).toEqual([]);
  });
});
