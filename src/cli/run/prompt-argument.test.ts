import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { withLiteralPrompt } from "./prompt-argument.ts";

describe("the argument after -p", () => {
  it.each([
    "-c flag broken",
    "--verbose is broken",
    "- first\n- second",
    "---\nname: x\n---",
    "--model a=b is ignored",
    "-\tx",
  ])("is the prompt, also if it looks like an option: %s", (prompt) => {
    expect(withLiteralPrompt(["run", "-p", prompt, "--no-session"])).toEqual([
      "run",
      `--print=${prompt}`,
      "--no-session",
    ]);
  });

  it.each([
    [["-p", "--model", "x", "the prompt"]],
    [["-p", "--system-prompt=You are brief", "hi"]],
    [["-p", "-c", "hi"]],
    [["-p", "-"]],
    [["-p", "a prompt", "--model", "x"]],
    [["-p"]],
    [["--mode", "rpc"]],
    [["-p", "a prompt", "--", "x"]],
  ])("is left alone otherwise: %j", (args) => {
    expect(withLiteralPrompt(args)).toEqual(args);
  });

  it("is all that stands behind --", () => {
    expect(withLiteralPrompt(["-p", "--", "--x"])).toEqual(["--print=--x"]);
    expect(withLiteralPrompt(["run", "-p", "--model", "m", "--", "-c", "is", "broken"])).toEqual([
      "run",
      "--print=-c is broken",
      "--model",
      "m",
    ]);
  });

  it("is never lost, whatever it is", () => {
    fc.assert(
      fc.property(fc.string(), (prompt) => {
        const [given] = withLiteralPrompt(["-p", "--", prompt]);
        expect(given).toBe(`--print=${prompt}`);
      }),
    );
  });
});
