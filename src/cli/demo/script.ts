import type { ScriptedTurn } from "../../host/index.ts";

export const PROMPT = "Greet the team in a file, tidy up, and commit.";

/** What the scripted model does in the demo. */
export const TURNS: readonly ScriptedTurn[] = [
  {
    text: "I look up how greetings are written here.",
    toolCalls: [{ name: "Skill", arguments: { skill: "greeting" } }],
  },
  {
    text: "First I tidy up.",
    toolCalls: [{ name: "bash", arguments: { command: "rm -rf notes" } }],
  },
  {
    text: "Then I leave it alone. Now the greeting.",
    toolCalls: [{ name: "write", arguments: { path: "GREETING.md", content: "Hello, team.\n" } }],
  },
  {
    toolCalls: [
      {
        name: "bash",
        arguments: { command: "git add GREETING.md && git commit -q -m 'Greet the team'" },
      },
    ],
  },
  { text: "The greeting is committed. The notes are still there: deleting them was not allowed." },
];

export const SKILL = `---
name: greeting
description: How greetings are written in this project
---
Greet with one short sentence.
`;
