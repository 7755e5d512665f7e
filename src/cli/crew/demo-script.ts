import type { ScriptedTurn } from "../../host/index.ts";

export const GOAL = "Greet people in two languages.";

const PLAN = {
  summary: "One greeting for each language, each called in greetings.sh.",
  tasks: [
    {
      id: "english",
      title: "Greet in English",
      role: "english-writer",
      task: "Write english.sh, which greets, and call it in greetings.sh.",
      dependsOn: [],
      files: [],
    },
    {
      id: "french",
      title: "Greet in French",
      role: "french-writer",
      task: "Write french.sh, which greets, and call it in greetings.sh.",
      dependsOn: [],
      files: [],
    },
  ],
};

const write = (path: string, content: string) => ({ name: "write", arguments: { path, content } });

/** What a scripted writer does: forgets something if it is to, and repairs what it is told of. */
function writer(language: string, greeting: string, isCareless: boolean): ScriptedTurn[] {
  const file = `${language}.sh`;
  const script = `echo "${greeting}"\n`;
  const both = "sh english.sh\nsh french.sh\n";
  const done = { text: `${file} greets, and greetings.sh calls it.` };
  return [
    {
      when: "conflict",
      text: "The other one called its script there as well. I keep both lines.",
      toolCalls: [write("greetings.sh", both)],
    },
    {
      when: "check .* failed",
      text: "I forgot the quotes.",
      toolCalls: [write(file, script)],
    },
    {
      when: "which greets",
      text: `I write ${file}.`,
      toolCalls: [
        write(file, isCareless ? `echo "${greeting}\n` : script),
        write("greetings.sh", `sh ${file}\n`),
      ],
    },
    done,
    done,
    done,
  ];
}

/** The scripts of the demo's agents, by the name of their role. */
export const SCRIPTS: Readonly<Record<string, readonly ScriptedTurn[]>> = {
  "demo-planner": [{ text: JSON.stringify(PLAN) }],
  "english-writer": writer("english", "Hello", false),
  "french-writer": writer("french", "Bonjour", true),
};

/** All greetings together; the first that cannot be run fails the check. */
const CHECK = "sh -e greetings.sh";

export const WORKFLOW = `---
name: demo
description: plan, two tasks at once, proved and merged
approvePlan: false
maxConcurrency: 2
verify: ${JSON.stringify(CHECK)}
---

## plan
role: demo-planner
plans: true

Plan how to reach this goal: {goal}
`;

/** A role of the demo, as a file. */
export function roleFile(name: string, script: string): string {
  const access = name === "demo-planner" ? "read" : "write";
  return `---
name: ${name}
description: A scripted agent of the demo.
access: ${access}
agent: seam
model: scripted:${script}
---

Do your part.
`;
}
