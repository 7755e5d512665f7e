import { expect, test } from "vitest";
import type { Skill } from "./skills/find-skills.ts";
import { buildSystemPrompt } from "./system-prompt.ts";

const base = { cwd: "/home/me/bridge", date: "2026-11-15" };
const skill = (name: string, disableModelInvocation = false): Skill => ({
  name,
  description: `About\n${name}`,
  filePath: `/skills/${name}/SKILL.md`,
  baseDir: `/skills/${name}`,
  disableModelInvocation,
  sourceInfo: { path: "", source: "local", scope: "user", origin: "top-level" },
});

test("the prompt is short and ends with the day and the folder", () => {
  const prompt = buildSystemPrompt(base);
  expect(prompt.length).toBeLessThan(2_000);
  const end = "Current date: 2026-11-15\nCurrent working directory: /home/me/bridge";
  expect(prompt.endsWith(end)).toBe(true);
  expect(prompt).not.toContain("# Tools");
});

test("it lists the selected tools that say what they are for", () => {
  const prompt = buildSystemPrompt({
    ...base,
    selectedTools: ["read", "silent", "toString"],
    toolSnippets: { read: "Read a\nfile", write: "Write a file" },
  });
  expect(prompt).toContain("# Tools\n\n- read: Read a file\n\n");
  expect(prompt).not.toMatch(/Write a file|silent|toString/);
  const all = buildSystemPrompt({ ...base, toolSnippets: { write: "Write a file" } });
  expect(all).toContain("- write: Write a file");
});

test("guidelines fit the tools, and each is there once", () => {
  const together = buildSystemPrompt({
    ...base,
    selectedTools: ["read", "edit"],
    promptGuidelines: ["Ask first.", " Ask  first. "],
  });
  expect(together).toContain("- Read a file before you edit it.");
  expect(together.split("Ask first.")).toHaveLength(2);
  expect(buildSystemPrompt({ ...base, selectedTools: ["read"] })).not.toContain("before you edit");
});

test("a custom prompt takes the place of the built-in one, and everything else still follows", () => {
  const prompt = buildSystemPrompt({
    ...base,
    customPrompt: "You are a poet.",
    appendSystemPrompt: "Rhyme.",
    selectedTools: ["Skill"],
    toolSnippets: { Skill: "Read a skill" },
    promptGuidelines: ["Not this."],
    contextFiles: [{ path: "/a/AGENTS.md", content: "Use tabs." }],
    skills: [skill("sonnet")],
  });
  const order = ["You are a poet.", "Rhyme.", "Use tabs.", "sonnet", "Current date"];
  const places = order.map((text) => prompt.indexOf(text));
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(places[0]).toBe(0);
  expect(prompt).not.toMatch(/Seam|Not this|# Tools/);
});

test("context files are named", () => {
  const contextFiles = [{ path: "/a/AGENTS.md", content: "Use tabs." }];
  expect(buildSystemPrompt({ ...base, contextFiles })).toContain(
    '<instructions file="/a/AGENTS.md">\nUse tabs.\n</instructions>',
  );
});

test("skills are listed in a way the model can follow, or not at all", () => {
  const skills = [skill("review"), skill("secret", true)];
  const withTool = buildSystemPrompt({ ...base, skills, selectedTools: ["Skill", "read"] });
  expect(withTool).toContain("call the Skill tool");
  expect(withTool).toContain("- review: About review\n");
  expect(withTool).not.toContain("secret");
  const withRead = buildSystemPrompt({ ...base, skills, selectedTools: ["read"] });
  expect(withRead).toContain("- review: About review (/skills/review/SKILL.md)");
  expect(buildSystemPrompt({ ...base, skills, selectedTools: [] })).not.toContain("review");
});
