import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../../test/setup/sample.ts";
import { readAgentFile } from "./agent-file.ts";
import { TASK_KEYS } from "./declared-task.ts";
import type { FileSource, Format } from "./origin.ts";
import { resolveWorkflow } from "./resolve-workflow.ts";
import { readTeamFile } from "./team-file.ts";
import { readWorkflowFile } from "./workflow-file.ts";

/** Pieces that workflows are made of, so that what is tried gets further than the first line. */
const piece = fc.oneof(
  fc.constantFrom(
    ...[
      "---",
      "## a",
      "## b",
      "##",
      "",
      " ",
      "```",
      "<!--",
      "-->",
      "- x: agent=y",
      "{goal}",
      "{item}",
    ],
    ...[
      "role: a",
      "dependsOn: a, b",
      "loop: {until: a.x, times: 2, backTo: b}",
      "loop: {",
      "files: *",
    ],
    ...[
      "when: a.b == 'c'",
      "result: {a: b}",
      "forEach: a.b",
      "budget: $1, 2m",
      "plans: true",
      "  - z",
    ],
    ...["__proto__: 1", "constructor: 2", "name: &a [*a]", "description: >", "  folded", "\t"],
  ),
  fc.tuple(fc.constantFrom(...TASK_KEYS), fc.string()).map(([key, text]) => `${key}: ${text}`),
  fc.string({ unit: "binary" }),
);
const text = fc.array(piece, { maxLength: 25 }).map((lines) => lines.join("\n"));
const formats = fc.constantFrom<Format>("seam", "pi-crew", "claude-code");
const source = (file: string, format: Format): FileSource => ({
  path: "/p/x.md",
  origin: "project",
  format,
  text: file,
});

describe("whatever is in a file", () => {
  it("it is read without an exception, and every problem is on a line that is there", () => {
    fc.assert(
      fc.property(text, formats, (file, format) => {
        const read = readWorkflowFile(source(file, format));
        const agent = readAgentFile(source(file, format));
        const team = readTeamFile(source(file, format));
        const files = { agents: [agent], teams: [team], workflows: [read], problems: [] };
        const { workflow, problems } = resolveWorkflow(files, read.name);
        const lines = file.split(/\r\n|\r|\n/).length;
        for (const { line = 1 } of problems) {
          expect(line).toBeGreaterThanOrEqual(1);
          expect(line).toBeLessThanOrEqual(lines + 1);
        }
        if (workflow) expect(problems.filter(({ severity }) => severity === "error")).toEqual([]);
        else expect(problems.length).toBeGreaterThan(0);
        expect({}).not.toHaveProperty("polluted");
      }),
      runs(3000),
    );
  });

  it("a TOML file that is none has a problem and no exception", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (file) => {
        const { role } = readAgentFile({ ...source(file, "codex"), path: "/p/x.toml" });
        expect(role.name).not.toBe("");
      }),
      runs(500),
    );
  });
});
