import { describe, expect, it } from "vitest";
import { parseFlags } from "./flags.ts";

const set = {
  flags: () => [
    { name: "who", flag: { type: "string" as const } },
    { name: "loud", flag: { type: "boolean" as const } },
  ],
};

describe("flags of extensions", () => {
  it("take the word after them only if they have a value", () => {
    expect(parseFlags(set, ["--who", "bob", "hello", "--loud", "there"])).toEqual({
      flags: { who: "bob", loud: true },
      words: ["hello", "there"],
    });
  });

  it("leave a word alone that is the same as a value", () => {
    const { flags, words } = parseFlags(set, ["say", "bob", "--who", "bob"]);
    expect({ flags, words }).toEqual({ flags: { who: "bob" }, words: ["say", "bob"] });
  });

  it.each([
    [["--who"], "--who needs a value.", "value behind it"],
    [["--lowd"], "There is no option --lowd.", "Did you mean --loud?"],
    [["-x", "hello"], "There is no option -x.", "quotes"],
    [["--loud=perhaps"], "--loud takes no value.", "leave it out"],
  ])("are refused when they are wrong, with what to do: %j", (args, message, next) => {
    const error = { message, next: expect.stringContaining(next) };
    expect(() => parseFlags(set, args)).toThrow(expect.objectContaining(error));
  });
});
