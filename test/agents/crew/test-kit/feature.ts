import type { IntentScript } from "../../drive/intents.ts";

/** A small program with a test, as a user has it before the crew comes. */
export const PROJECT: Readonly<Record<string, string>> = {
  "package.json": `${JSON.stringify({ name: "app", type: "module", private: true })}\n`,
  "src/index.js": 'export { sum } from "./sum.js";\n',
  "src/sum.js": "export const sum = (numbers) => numbers.reduce((all, one) => all + one, 0);\n",
  "test/sum.test.js": testOf("sum", "sum([1, 2])", "3"),
};

export const GOAL = "Export the numbers as CSV and as lines.";

const PLAN = {
  summary: "One function for each form, each exported by src/index.js.",
  tasks: [
    {
      id: "csv",
      title: "Numbers as CSV",
      role: "csv-writer",
      task: "Write src/csv.js with a test, and export it in src/index.js.",
      dependsOn: [],
      files: [],
    },
    {
      id: "lines",
      title: "Numbers as lines",
      role: "lines-writer",
      task: "Write src/lines.js with a test, and export it in src/index.js.",
      dependsOn: [],
      files: [],
    },
  ],
};

function testOf(name: string, call: string, result: string): string {
  return [
    'import assert from "node:assert";',
    'import { test } from "node:test";',
    `import { ${name} } from "../src/index.js";`,
    `test("${name}", () => assert.equal(${call}, ${result}));`,
    "",
  ].join("\n");
}

const SUM = 'export { sum } from "./sum.js";\n';
const CSV = 'export { csv } from "./csv.js";\n';
const LINES = 'export { lines } from "./lines.js";\n';

/** Written by the shell: where a task's worktree is, nobody knows before. */
function write(path: string, content: string) {
  return { do: "shell", command: `cat > ${path} <<'END'\n${content}END` } as const;
}

/** What the model of Claude Code and the one of Codex say; each thinks for a while in the middle. */
export function scriptOf(name: "csv" | "lines", separator: string): IntentScript["turns"] {
  const code = `export const ${name} = (numbers) => numbers.join(${JSON.stringify(separator)});\n`;
  const own = name === "csv" ? CSV : LINES;
  const result = JSON.stringify(["1", "2"].join(separator));
  return [
    { toolCalls: [write(`src/${name}.js`, code)] },
    {
      toolCalls: [write(`test/${name}.test.js`, testOf(name, `${name}([1, 2])`, result))],
      waitMs: 6_000,
    },
    { toolCalls: [write("src/index.js", SUM + own)] },
    { text: `${name} is there, with a test.` },
  ];
}

/** The session that came second has both sides in its folder. */
export const RESOLVES: IntentScript["turns"] = [
  { toolCalls: [{ do: "shell", command: "cat src/index.js" }], waitMs: 4_000 },
  { toolCalls: [write("src/index.js", SUM + CSV + LINES)] },
  { text: "Both are exported now." },
];

/** The embedded agent's part. */
export const PLANNER = [{ text: JSON.stringify(PLAN) }];
export const REVIEWER = [{ text: JSON.stringify({ approved: true, findings: [] }) }];

export const WORKFLOW = `---
name: build
description: plan, two tasks at once, tests, review
maxConcurrency: 2
verify: node --test
approveMerge: true
---

## plan
role: feature-planner
plans: true

Plan how to reach this goal: {goal}

## review
role: feature-reviewer
dependsOn: plan
result: { approved: boolean, findings: "string[]" }

Review all that was done for: {goal}
`;

export function roleFile(name: string, access: "read" | "write", agent: string): string {
  return `---\nname: ${name}\ndescription: Does its part.\naccess: ${access}\nagent: ${agent}\n---\n\nDo your part.\n`;
}
