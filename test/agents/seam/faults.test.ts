import { describe, expect, it, onTestFinished } from "vitest";
import type { AgentName } from "../drive/agent.ts";
import { AGENTS } from "../drive/agents/index.ts";
import { whyNotRun } from "../drive/installed.ts";
import type { Kind } from "./faults/fault.ts";
import { Machine } from "./faults/machine.ts";
import { FAULTS } from "./faults/table.ts";

const AGENTS_UNDER_TEST: readonly AgentName[] = ["claude-code", "codex"];
const KINDS: readonly Kind[] = ["critical", "ordinary"];

describe.each(AGENTS_UNDER_TEST)("on %s", (agent) => {
  const reason = whyNotRun(AGENTS[agent]);
  if (reason !== undefined) {
    it.skip(`(not run: ${reason})`, () => {});
    return;
  }
  describe.each(FAULTS.map((fault) => [fault.name, fault] as const))("when %s", (_, fault) => {
    it.each(KINDS)("a call that a gate forbids does what the table says: %s", async (kind) => {
      const machine = new Machine(agent, fault, kind);
      onTestFinished(() => machine.remove());
      await machine.setUp();
      await machine.breakAndTry();
      expect(machine.outcome, machine.account).toBe(fault.call[kind]);
      if (fault.told) expect(await machine.told(), machine.account).toEqual(fault.told[kind]);
    });
  });
});
