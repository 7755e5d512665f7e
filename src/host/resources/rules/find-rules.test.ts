import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { testProject } from "../test-kit.ts";
import { findRules } from "./find-rules.ts";
import { ruleMessage } from "./rule-watcher.ts";

const project = testProject();
const find = () => findRules({ cwd: project.root });

test("rules are the user's and the project's Markdown files with a condition", () => {
  const path = project.write(
    "~/rules/no-any.md",
    "---\ncondition: ': any\\b'\ndescription: Types\nglobs: '*.ts'\n---\nWrite a type.",
  );
  const b = project.write(".seam/rules/b.md", "---\ncondition: [x, 'y+']\nrepeat: true\n---\nB");
  project.write(".seam/rules/no-any.md", "---\ncondition: z\n---\nHidden");
  project.write("~/rules/README.md", "# Rules");
  const { rules, problems } = find();
  expect(rules).toEqual([
    {
      name: "no-any",
      path,
      content: "Write a type.",
      description: "Types",
      globs: ["*.ts"],
      condition: [": any\\b"],
      repeat: false,
    },
    {
      name: "b",
      path: b,
      content: "B",
      condition: ["x", "y+"],
      repeat: true,
    },
  ]);
  expect(problems).toHaveLength(1);
});

test.each([
  ["without a condition", "---\ndescription: d\n---\nx", "no condition"],
  ["whose only condition is not a pattern", "---\ncondition: '('\n---\nx", "The condition ("],
  ["that everything would trigger", "---\ncondition: 'a*'\n---\nx", "even when nothing is said"],
  ["that says nothing", "---\ncondition: a\n---\n", "says nothing"],
  ["with a broken head", "---\ncondition: [\n---\nx", "not valid YAML"],
])("a rule %s is reported", (_, text, message) => {
  project.write(".seam/rules/bad.md", text);
  const { rules, problems } = find();
  expect(rules).toEqual([]);
  expect(problems[0]?.message).toContain(message);
});

test("a link in a project that leads out of it is not followed, and is reported", () => {
  const rule = "---\ncondition: x\n---\nThe user's own";
  const path = project.write("~/private/rule.md", rule);
  project.write(".seam/rules/own.md", rule);
  symlinkSync(path, join(project.root, ".seam/rules/linked.md"));
  symlinkSync(join(project.home, "private"), join(project.root, ".seam/rules/folder"));
  const { rules, problems } = find();
  expect(rules.map(({ name }) => name)).toEqual(["own"]);
  expect(problems[0]?.message).toContain(`it leads to ${path}`);
});

test("one broken condition does not spoil the others", () => {
  project.write(".seam/rules/half.md", "---\ncondition: ['(', fine]\n---\nx");
  const { rules, problems } = find();
  expect(rules[0]?.condition).toEqual(["fine"]);
  expect(problems).toHaveLength(1);
});

test("the message names each rule, the files it is about and what it says", () => {
  const text = ruleMessage([
    { name: "a", content: "Do A." },
    { name: "b", content: "Do B.", globs: ["*.ts", "*.js"] },
  ]);
  expect(text).toContain('<rule name="a">\nDo A.\n</rule>');
  expect(text).toContain('<rule name="b" files="*.ts, *.js">\nDo B.\n</rule>');
  expect(ruleMessage([{ name: "a", content: "x" }])).toContain("a rule");
});
