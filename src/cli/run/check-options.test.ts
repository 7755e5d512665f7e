import { expect, it } from "vitest";
import { checkChoice, levelOf, modeOf } from "./check-options.ts";
import type { SessionChoice } from "./open-session.ts";

it("a level or mode that is none is refused, with the one that may be meant", () => {
  expect(levelOf("xhigh")).toBe("xhigh");
  const refused = (message: string, next: string) =>
    expect.objectContaining({ message, next: expect.stringContaining(next) });
  expect(() => levelOf("hihg")).toThrow(
    refused('--thinking cannot be "hihg".', "Did you mean high?"),
  );
  expect(() => levelOf("wild")).toThrow(
    refused('--thinking cannot be "wild".', "It is one of: off, minimal, low"),
  );
  expect(modeOf("rpc")).toBe("rpc");
  expect(() => modeOf("jsno")).toThrow(refused('--mode cannot be "jsno".', "Did you mean json?"));
});

it.each<[SessionChoice, string]>([
  [{ continue: true, fork: "a" }, "--continue and --fork"],
  [{ continue: true, resume: "a" }, "--continue and --resume"],
  [{ fork: "a", noSession: true }, "--fork and --no-session"],
  [{ session: "a", resume: "b" }, "--resume and --session"],
])("%j do not go together", (choice, names) => {
  expect(() => checkChoice(choice)).toThrow(`${names} cannot be used together.`);
});

it.each<SessionChoice>([{}, { continue: true }, { fork: "a" }, { noSession: true }])(
  "%j does",
  (choice) => {
    expect(() => checkChoice(choice)).not.toThrow();
  },
);
