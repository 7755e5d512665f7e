import { describe, expect, it } from "vitest";
import { visibleWidth } from "../src/terminal/index.ts";
import { place } from "./cli/seam.ts";
import { Terminal, whyNoTerminal } from "./cli/terminal.ts";

const LISTS = [["agents"], ["config"], ["status"], ["doctor"], ["ext", "list"], ["--help"]];
const GATE = `export default (pi) => {
  for (const name of ["tool_call", "tool_result", "input", "agent_start", "agent_end"]) {
    pi.on(name, () => {});
  }
};
`;

describe.skipIf(whyNoTerminal)("lists on a terminal", () => {
  it.each([
    ["80", 80],
    ["160", 160],
  ])("fit into %s columns", async (_, columns) => {
    const at = place();
    at.write({ "../home/extensions/listens-to-a-lot.ts": GATE });
    const env = { PATH: process.env.PATH, HOME: at.home, SEAM_HOME: at.home };
    for (const args of LISTS) {
      const terminal = new Terminal(args, { cwd: at.project, env, columns });
      await terminal.exited;
      const lines = terminal.text.split("\n");
      expect(lines.length, args.join(" ")).toBeGreaterThan(1);
      const tooWide = lines.filter((line) => visibleWidth(line) > columns);
      expect(tooWide, args.join(" ")).toEqual([]);
    }
  });

  it("wrap the last column below itself", async () => {
    const at = place();
    const env = { PATH: process.env.PATH, HOME: at.home, SEAM_HOME: at.home };
    const terminal = new Terminal(["agents"], { cwd: at.project, env, columns: 80 });
    await terminal.exited;
    const lines = terminal.text.split("\n");
    const column = lines[0]?.indexOf("can") ?? -1;
    const claude = lines.findIndex((line) => line.startsWith("claude-code"));
    expect(column).toBeGreaterThan(0);
    expect(lines[claude]?.slice(column)).toMatch(/^block, /);
    expect(lines[claude + 1]).toMatch(new RegExp(`^ {${column}}[a-z]`));
  });
});
