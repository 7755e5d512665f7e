import { describe, expect, it } from "vitest";
import { COMMAND_GROUPS } from "../src/cli/command-list.ts";
import { helpText, wrapHelp } from "../src/cli/help.ts";
import { COMMAND_NAMES, commandTree } from "./cli/command-tree.ts";
import { place } from "./cli/seam.ts";

describe("seam --help", () => {
  it("lists every command in a group, and seam help says the same", async () => {
    const here = place();
    const { stdout, code } = await here.seam("--help");
    expect(code).toBe(0);
    for (const title of Object.keys(COMMAND_GROUPS)) expect(stdout).toContain(`\n${title}:\n`);
    const listed = [...stdout.matchAll(/^ {2}([a-z]+) {2,}\S/gm)].map(([, name = ""]) => name);
    expect(listed).toEqual(COMMAND_NAMES);
    expect((await here.seam("help")).stdout).toBe(stdout);
  });

  it("says of each command what the command says of itself", async () => {
    const here = place();
    const { stdout } = await here.seam("help", "rewind");
    expect(stdout).toContain("Usage: seam rewind");
    expect(stdout).toContain("bring the files back to what they were at a turn");
  });

  it.each([40, 80, 160])("fits into %i columns", (width) => {
    const lines = helpText(width).split("\n");
    expect(lines.filter((line) => line.length > width)).toEqual([]);
    expect(lines).toContain("The record:");
  });

  it("a command that is missing or misspelt is an error with a hint", async () => {
    const here = place();
    const none = await here.seam();
    expect(none).toMatchObject({ code: 2, stdout: "" });
    expect(none.stderr).toContain("A command is missing.");
    const wrong = await here.seam("doctro");
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toContain("Did you mean doctor?");
  });
});

describe("wrapped help", () => {
  it("goes on below the text, not below the name", () => {
    const text = "  --json      print everything as JSON";
    expect(wrapHelp(text, 28)).toBe("  --json      print\n    everything as JSON");
    expect(wrapHelp(text, 32)).toBe("  --json      print everything\n              as JSON");
  });

  it("leaves an example in one piece, so that it can be copied", () => {
    const text = '  seam run -p "Why does the build fail?" --model anthropic/claude-sonnet-5-5';
    expect(wrapHelp(text, 40)).toBe(text);
  });
});

it("a short option means the same in every command", async () => {
  const meanings = new Map<string, Set<string>>();
  for (const command of (await commandTree()).values()) {
    for (const { short, long } of command.options) {
      if (short) meanings.set(short, (meanings.get(short) ?? new Set()).add(long ?? ""));
    }
  }
  expect([...meanings.keys()]).toEqual(expect.arrayContaining(["-n", "-a", "-y", "-e"]));
  const several = [...meanings].filter(([, long]) => long.size > 1);
  expect(several.map(([short, long]) => [short, ...long])).toEqual([]);
});
