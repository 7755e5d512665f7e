import { describe, expect, it } from "vitest";
import { mismatch } from "../../../events/index.ts";
import { skillFile, testProject } from "../test-kit.ts";
import { expandSkillCommand } from "./expand-skill-command.ts";
import { findSkills } from "./find-skills.ts";
import { type SkillUse, skillTool } from "./skill-tool.ts";

const project = testProject();

function skills() {
  project.write(".seam/skills/review/SKILL.md", skillFile("review", "Look closely."));
  project.write(
    ".seam/skills/deploy/SKILL.md",
    skillFile("deploy", "Ship it.", "disable-model-invocation: true\n"),
  );
  return findSkills({ cwd: project.root }).skills;
}

describe("/skill:name", () => {
  it("becomes what the skill says, with what was typed after it", () => {
    const expanded = expandSkillCommand("/skill:review src/a.ts\nand  b.ts ", skills());
    expect(expanded?.skill.name).toBe("review");
    expect(expanded?.command).toBe("/skill:review");
    expect(expanded?.args).toBe("src/a.ts\nand  b.ts");
    expect(expanded?.text).toContain("Look closely.\n</skill>\n\nsrc/a.ts\nand  b.ts");
    expect(expanded?.text).toContain(`folder="${project.root}/.seam/skills/review"`);
    expect(expanded?.text).not.toContain("description:");
  });

  it("works for skills that only the user may call, and without arguments", () => {
    expect(expandSkillCommand("/skill:deploy", skills())?.text.endsWith("</skill>")).toBe(true);
  });

  it("is left alone when it is something else", () => {
    for (const text of ["/skill:unknown x", "/skill:", "skill:review", "use /skill:review", ""]) {
      expect(expandSkillCommand(text, skills())).toBeUndefined();
    }
  });
});

describe("the skill tool", () => {
  const setUp = () => {
    const found = skills();
    const uses: SkillUse[] = [];
    const tool = skillTool(
      () => found,
      (use) => uses.push(use),
    );
    return { tool, uses };
  };

  it("gives the model what the skill says and reports the use", async () => {
    const { tool, uses } = setUp();
    const { content, details } = await tool.execute("call-1", { skill: "review", args: "a.ts" });
    expect(content).toEqual([{ type: "text", text: expect.stringContaining("Look closely.") }]);
    expect(details?.skill).toBe("review");
    expect(uses).toEqual([
      { skill: expect.objectContaining({ name: "review" }), toolCallId: "call-1", args: "a.ts" },
    ]);
  });

  it("understands the form that users type", async () => {
    const { tool } = setUp();
    await expect(tool.execute("1", { skill: "/skill:review" })).resolves.toBeDefined();
    await expect(tool.execute("2", { skill: "/review" })).resolves.toBeDefined();
  });

  it("names the skills there are when asked for another, and reports no use", async () => {
    const { tool, uses } = setUp();
    const asked = tool.execute("call-1", { skill: "deploy" });
    await expect(asked).rejects.toThrow('There is no skill "deploy". The skills are: review.');
    expect(uses).toEqual([]);
    const none = skillTool(
      () => [],
      () => {},
    );
    await expect(none.execute("1", { skill: "x" })).rejects.toThrow("There are no skills here.");
  });

  it("has a schema that wants a name", () => {
    const { tool } = setUp();
    expect(mismatch(tool.parameters, { skill: "review" })).toBeUndefined();
    expect(mismatch(tool.parameters, { args: "x" })).toBeDefined();
  });
});
