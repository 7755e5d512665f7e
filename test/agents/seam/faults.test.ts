import { isDeepStrictEqual } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { isFull } from "../../setup/sample.ts";
import type { AgentName } from "../drive/agent.ts";
import { AGENTS } from "../drive/agents/index.ts";
import { whyNotRun } from "../drive/installed.ts";
import type { Fault, Kind } from "./faults/fault.ts";
import { Machine } from "./faults/machine.ts";
import { FAULTS } from "./faults/table.ts";

/** Those that are not installed are in the report of the run. */
const AGENTS_UNDER_TEST = (["claude-code", "codex"] satisfies AgentName[]).filter(
  (agent) => whyNotRun(AGENTS[agent]) === undefined,
);
const KINDS: readonly Kind[] = ["critical", "ordinary"];

/**
 * What a fault does to a call does not depend on the agent, and where the table says the same for
 * both kinds of gate it is the same way there too. Where it differs, src/daemon/client/faults.test.ts
 * shows how for an ordinary gate. So each fault is tried on the agents in turn, with the gate that must
 * not open where they differ; `npm run test:full` tries all of it.
 */
function isTried(fault: Fault, agent: AgentName, kind: Kind): boolean {
  if (isFull) return true;
  const at = FAULTS.indexOf(fault);
  if (AGENTS_UNDER_TEST[at % AGENTS_UNDER_TEST.length] !== agent) return false;
  const isSame =
    fault.call.critical === fault.call.ordinary &&
    isDeepStrictEqual(fault.told?.critical, fault.told?.ordinary);
  return kind === (isSame ? KINDS[Math.floor(at / 2) % KINDS.length] : "critical");
}

describe.each(AGENTS_UNDER_TEST)("on %s", (agent) => {
  const kinds = (fault: Fault) => KINDS.filter((kind) => isTried(fault, agent, kind));
  const faults = FAULTS.filter((fault) => kinds(fault).length > 0);
  describe.each(faults.map((fault) => [fault.name, fault] as const))("when %s", (_, fault) => {
    it.each(kinds(fault))(
      "a call that a gate forbids does what the table says: %s",
      async (kind) => {
        const machine = new Machine(agent, fault, kind);
        onTestFinished(() => machine.remove());
        await machine.setUp();
        await machine.breakAndTry();
        expect(machine.outcome, machine.account).toBe(fault.call[kind]);
        if (fault.told) expect(await machine.told(), machine.account).toEqual(fault.told[kind]);
      },
    );
  });
});
