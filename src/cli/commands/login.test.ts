import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { Lines } from "../ask/lines.ts";
import { terminalCallbacks } from "../commands/login.ts";

function terminal(typed: string) {
  const input = new PassThrough();
  input.end(typed);
  const said: string[] = [];
  const over = new AbortController();
  const lines = new Lines(input, new PassThrough());
  return {
    said,
    over,
    callbacks: terminalCallbacks(lines, (text) => said.push(text), over.signal),
  };
}

it("shows the address, and takes what is typed", async () => {
  const { said, callbacks } = terminal(" code \n2\nhttp://back?x=1\n");
  callbacks.onAuth({ url: "http://login", instructions: "Then come back." });
  expect(await callbacks.onPrompt({ message: "Code?" })).toBe("code");
  const options = [
    { id: "a", label: "First" },
    { id: "b", label: "Second" },
  ];
  expect(await callbacks.onSelect({ message: "Which?", options })).toBe("b");
  expect(await callbacks.onManualCodeInput()).toBe("http://back?x=1");
  expect(said).toEqual([
    "Open this address to log in:",
    "  http://login",
    "Then come back.",
    "Which?",
    "  1 First",
    "  2 Second",
  ]);
});

it("nothing is an answer only where it may be", async () => {
  const { callbacks } = terminal("\n\n");
  expect(await callbacks.onPrompt({ message: "Host?", allowEmpty: true })).toBe("");
  await expect(callbacks.onPrompt({ message: "Code?" })).rejects.toThrow("nothing was entered");
  await expect(callbacks.onPrompt({ message: "Code?" })).rejects.toThrow("no answer");
});

it("a number that is not in the list chooses nothing", async () => {
  const { callbacks } = terminal("7\nx\n");
  const options = [{ id: "a", label: "First" }];
  expect(await callbacks.onSelect({ message: "Which?", options })).toBeUndefined();
  expect(await callbacks.onSelect({ message: "Which?", options })).toBeUndefined();
});
