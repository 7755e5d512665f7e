import type { AgentName } from "../../drive/agent.ts";
import { AGENTS } from "../../drive/agents/index.ts";
import type { IntentScript } from "../../drive/intents.ts";
import type { Proofs } from "./proofs.ts";

/** Where the calls of `workScript` stand among the tool results that the model sees. */
export const CALL = {
  remove: 0,
  secret: 1,
  killDaemon: 2,
  removeAgain: 3,
  oldInput: 4,
  oldOutput: 5,
  dies: 6,
} as const;

/** A script in the project with which the agent ends the daemon in the middle of its work. */
export const KILLER = "kill-daemon.sh";

export const SKILL = "greet";
export const SKILL_TEXT = `---\nname: ${SKILL}\ndescription: Says hello.\n---\nSay HELLO-OUT-LOUD.\n`;

/** What extensions have something to say to, in one session. */
export function workScript(agent: AgentName, secretFile: string, proofs: Proofs): IntentScript {
  const { tools } = AGENTS[agent];
  return {
    turns: [
      { toolCalls: [{ do: "shell", command: "rm -rf keep" }] },
      { toolCalls: [{ do: "write", path: secretFile, content: "stolen\n" }] },
      { toolCalls: [{ do: "shell", command: `sh ${KILLER}` }] },
      { toolCalls: [{ do: "shell", command: "rm -fr keep" }] },
      { toolCalls: [{ do: "shell", command: "echo the-old-input" }] },
      { toolCalls: [{ do: "shell", command: "echo the-old-output" }] },
      { toolCalls: [{ do: "shell", command: "echo dies-here" }] },
      { toolCalls: [{ do: "shell", command: "exit 3" }] },
      { toolCalls: [{ do: "read", path: "missing.txt" }] },
      { toolCalls: [{ do: "write", path: "note.txt", content: "fine\n" }] },
      ...(tools.skill ? [{ toolCalls: [{ do: "skill" as const, name: SKILL }] }] : []),
      ...(tools.subagent
        ? [{ toolCalls: [{ do: "subagent" as const, prompt: "SMALL-PART of it" }] }]
        : []),
      { text: "Done once." },
      ...(proofs.claims("continue") ? [{ text: "Done twice." }] : []),
    ],
    subagents: tools.subagent
      ? [
          {
            prompt: "SMALL-PART",
            turns: [
              { toolCalls: [{ do: "shell", command: "echo said-by-child" }] },
              { text: "The part is done." },
            ],
          },
        ]
      : [],
  };
}

/** The prompt of the work: its words are changed where they can be, and a skill typed where it must be. */
export function workPrompt(agent: AgentName, proofs: Proofs): string {
  const { tools, typedSkill } = AGENTS[agent];
  const words = proofs.claims("rewrite_prompt") ? "please do the-old-prompt" : "please go";
  return !tools.skill && typedSkill ? `${typedSkill(SKILL)} ${words}` : words;
}
