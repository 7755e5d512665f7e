/** Says which agents the tests ran on, so that a skipped one is not taken for a passed one. */
import { AGENTS as ALL } from "../../src/agents/index.ts";
import { AGENT_NAMES } from "./drive/agent.ts";
import { releasesOf } from "./drive/agents/index.ts";
import { versionOf, whyNotRun } from "./drive/installed.ts";

export default function setup(): () => void {
  return () => {
    const lines = AGENT_NAMES.flatMap(releasesOf).map((agent) => {
      const reason = whyNotRun(agent);
      const state = reason === undefined ? `run, ${versionOf(agent)}` : `NOT RUN: ${reason}`;
      return line(agent.name, state);
    });
    const names: readonly string[] = AGENT_NAMES;
    for (const { name } of ALL.filter((agent) => !names.includes(agent.name))) {
      lines.push(line(name, "NOT RUN: known from recorded payloads and transcripts alone"));
    }
    process.stderr.write(`\nAgents in these tests:\n${lines.join("\n")}\n`);
  };
}

function line(name: string, state: string): string {
  return `  ${name.padEnd(16)} ${state}`;
}
