import fc from "fast-check";
import { expect, it } from "vitest";
import { readShell } from "./read-shell.ts";
import { shellCommandIn } from "./shell-command-in.ts";

it.each([
  [{ command: "rm -rf x" }, "rm -rf x"],
  [{ command: ["rm", "-rf", "my folder"] }, "rm -rf 'my folder'"],
  [{ command: ["bash", "-lc", "rm -rf x"] }, "bash -lc 'rm -rf x'"],
  [{ command: ["ls -l", "rm -rf x"] }, "ls -l\nrm -rf x"],
  [{ command: "rm", args: ["-rf", "it's"] }, "rm -rf 'it'\\''s'"],
  [{ cmd: ["rm", ["-rf"], 1] }, "rm -rf 1"],
  [{ Command: "a", cmd: "b" }, "a\nb"],
  [{ path: "x" }, undefined],
  [{ command: { name: "rm" } }, undefined],
  [{ command: null }, undefined],
])("in %o the command is %o", (input, command) => {
  expect(shellCommandIn(input)).toBe(command);
});

it("the words of a list reach the program as they are", () => {
  const word = fc.string({ unit: fc.constantFrom(..."ab'\"$`\\ ;|&*~-\n#=("), minLength: 1 });
  fc.assert(
    fc.property(fc.array(word), (args) => {
      const { commands } = readShell(shellCommandIn({ command: ["prog", ...args] }) ?? "");
      expect(commands).toHaveLength(1);
      expect(commands[0]?.name).toBe("prog");
      expect(commands[0]?.args.map(({ values }) => values)).toEqual(args.map((each) => [each]));
    }),
  );
});
