import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Place, place } from "./cli/seam.ts";

const ECHO = JSON.stringify([{ text: "First: {input}" }, { text: "Second: {input}" }]);
const TOOLS = `export default (pi) => {
  pi.registerTool({ name: "dig", label: "Dig", description: "Digs", parameters: { type: "object", properties: {} },
    execute: async () => ({ content: [] }) });
  pi.on("agent_start", (event, ctx) => {
    console.error("tools " + pi.getActiveTools().sort().join(" "));
    console.error("thinks " + pi.getThinkingLevel());
    console.error("skills " + pi.getCommands().filter((c) => c.source === "skill").map((c) => c.name).join(" "));
  });
};`;
const SKILL = (name: string) => `---\nname: ${name}\ndescription: For tests.\n---\nDo it.\n`;

const here = () =>
  place({
    "echo.json": ECHO,
    "tools.ts": TOOLS,
    "note.md": "it",
    ".seam/skills/found/SKILL.md": SKILL("found"),
    "elsewhere/SKILL.md": SKILL("named"),
  });
const pi = ({ seam }: Place, ...args: string[]) =>
  seam("pi", "--model", "scripted:echo.json", ...args);

describe("seam pi", () => {
  it("prints the last answer alone, and works on each word in turn", async () => {
    const { code, stdout } = await pi(here(), "--no-session", "-p", "one", "two");
    expect({ code, stdout }).toEqual({ code: 0, stdout: "Second: two\n" });
  });

  it("puts what was piped in and what files hold before the first prompt", async () => {
    const at = here();
    const args = ["pi", "--no-session", "--model", "scripted:echo.json", "-p", "@note.md", "what?"];
    const { stdout } = await at.piped("from the pipe\n", ...args);
    const file = `<file name="${join(at.project, "note.md")}">\nit\n</file>`;
    expect(stdout).toBe(`First: from the pipe\n${file}\nwhat?\n`);
    expect((await at.piped("only this", ...args.slice(0, 5))).stdout).toBe("First: only this\n");
  });

  it("tells of Pi's events and no others with --mode json", async () => {
    const { stdout } = await pi(here(), "--no-session", "--mode", "json", "hello");
    const types = stdout
      .trim()
      .split("\n")
      .map((line) => (JSON.parse(line) as { type: string }).type);
    expect(types[0]).toBe("session");
    expect([...new Set(types)]).toEqual([
      "session",
      "agent_start",
      "turn_start",
      "message_start",
      "message_end",
      "message_update",
      "turn_end",
      "agent_end",
      "agent_settled",
    ]);
  });

  it.each([
    [["--tools", "read,dig"], "dig read"],
    [["--no-tools"], ""],
    [["-nt", "--tools", "bash"], "bash"],
    [["-nbt"], "dig"],
    [["-t", "read,bash,ls", "--exclude-tools", "bash,dig"], "ls read"],
    [["--tools", "read,not-there"], "read"],
  ])("%j offers: %s", async (args, tools) => {
    const { code, stderr } = await pi(
      here(),
      "--no-session",
      "-ne",
      "-e",
      "tools.ts",
      ...args,
      "-p",
      "hi",
    );
    expect(stderr).toContain(`tools ${tools}\n`);
    expect(code).toBe(0);
  });

  it("finds skills unless told not to, and takes those it is given", async () => {
    const at = here();
    const run = (...args: string[]) =>
      pi(at, "--no-session", "-e", "tools.ts", ...args, "-p", "hi");
    expect((await run()).stderr).toContain("skills skill:found\n");
    const { stderr } = await run(
      "--no-skills",
      "--skill",
      "elsewhere",
      "--model",
      "scripted:echo.json:high",
    );
    expect(stderr).toContain("skills skill:named\n");
    expect(stderr).toContain("thinks high\n");
  });

  it("keeps a session in the file it is given, and goes on with it", async () => {
    const at = here();
    const file = join(at.project, "kept/one.jsonl");
    await pi(at, "--session", file, "-p", "one");
    await pi(at, "--session", file, "-p", "two");
    const text = readFileSync(file, "utf8");
    expect(text).toContain("First: one");
    expect(text).toContain("two");
    expect(readdirSync(join(at.project, "kept"))).toEqual(["one.jsonl"]);
    const { id } = JSON.parse(text.split("\n")[0] ?? "") as { id: string };
    const unknown = await pi(at, "--session", id.slice(0, 8), "-p", "three");
    expect(unknown.code).toBe(1);
    expect(unknown.stderr).toContain(`There is no session`);
  });

  it("keeps sessions in the folder it is given, and finds them there", async () => {
    const at = here();
    const dir = join(at.project, "kept");
    await pi(at, "--session-dir", dir, "-p", "one");
    const [file = ""] = readdirSync(dir);
    const id = /_([^.]+)\.jsonl$/.exec(file)?.[1] ?? "";
    await pi(at, "--session-dir", dir, "--session", id.slice(0, 8), "-p", "two");
    await pi(at, "--session-dir", dir, "--continue", "-p", "three");
    expect(readdirSync(dir)).toEqual([file]);
    expect(readFileSync(join(dir, file), "utf8")).toContain("three");
  });

  it("says what is wrong with exit code 1, as Pi does", async () => {
    const at = here();
    writeFileSync(
      join(at.project, "broken.json"),
      JSON.stringify([{ error: { message: "no such account" } }]),
    );
    const wrong = await pi(at, "--no-session", "-x", "-p", "hi");
    expect({ code: wrong.code, stdout: wrong.stdout }).toEqual({ code: 1, stdout: "" });
    expect(wrong.stderr).toContain("There is no option -x.");
    const failed = await at.seam(
      "pi",
      "--no-session",
      "--model",
      "scripted:broken.json",
      "-p",
      "hi",
    );
    expect({ code: failed.code, stdout: failed.stdout }).toEqual({ code: 1, stdout: "" });
    expect(failed.stderr).toContain("no such account");
  });
});
