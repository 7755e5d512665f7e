import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { agentNamed } from "../../../../src/agents/index.ts";
import type { AgentName } from "../../drive/agent.ts";
import { AGENTS } from "../../drive/agents/index.ts";
import { programOf } from "../../drive/installed.ts";

/** A folder for the PATH in which agents are called as their users call them. */
export function programsFor(root: string, agents: readonly AgentName[]): string {
  const bin = join(root, "bin");
  mkdirSync(bin, { recursive: true });
  for (const agent of agents) {
    const command = agentNamed(agent)?.program.command ?? "";
    const program = programOf({ ...AGENTS[agent], through: "" });
    if (!program) continue;
    if (program.length === 1) symlinkSync(program[0], join(bin, command));
    else {
      const words = program.map((word) => `'${word}'`).join(" ");
      writeFileSync(join(bin, command), `#!/bin/sh\nexec ${words} "$@"\n`);
      chmodSync(join(bin, command), 0o755);
    }
  }
  return bin;
}
