import { describe, expect, it } from "vitest";
import {
  askerOf,
  choicesOf,
  ordered,
  type Question,
  questionAddress,
  rememberedFor,
  subjectOf,
  wholeOf,
} from "./answers.ts";

const question = (more: Partial<Question>): Question => ({
  id: "q1",
  agent: "codex",
  session: "s1",
  cwd: "/shop",
  at: "2026-01-01T00:00:00Z",
  method: "confirm",
  title: "Run?",
  by: "gate",
  otherwise: "denied",
  ...more,
});
const keys = (more: Partial<Question>) =>
  choicesOf(question(more)).map(({ key, value }) => `${key} ${value}`);

describe("the choices of a question", () => {
  it("are yes and no for a confirmation", () => {
    expect(keys({})).toEqual(["y yes", "n no"]);
  });

  it("have y and n where one choice clearly says so, and numbers otherwise", () => {
    expect(keys({ method: "select", choices: ["Yes", "No"] })).toEqual(["y Yes", "n No"]);
    expect(keys({ method: "select", choices: ["Allow once", "Allow always", "Deny"] })).toEqual([
      "1 Allow once",
      "2 Allow always",
      "n Deny",
    ]);
    expect(keys({ method: "select", choices: ["red", "nothing"] })).toEqual(["1 red", "2 nothing"]);
  });

  it("are none where a text is asked for", () => {
    expect(keys({ method: "input" })).toEqual([]);
  });
});

it("says in words what an answer can be remembered for", () => {
  const call = { tool: "bash", input: { command: "npm test" } };
  const labels = rememberedFor(question({ call, rememberable: ["command", "tool"] }));
  expect(labels.map(({ label }) => label)).toEqual(["this command", "every bash"]);
});

it("shows the whole command, the whole content, or the whole input", () => {
  expect(wholeOf({ tool: "bash", input: { command: "a && b" } })).toBe("a && b");
  expect(wholeOf({ tool: "write", input: { path: "a.txt", content: "x" } })).toBe("a.txt\n\nx");
  expect(wholeOf({ tool: "fetch", input: { url: "x" } })).toContain('"url": "x"');
  expect(wholeOf({ tool: "edit", input: { path: "a" }, diff: "@@" })).toBeUndefined();
});

it("begins with the questions of the session one looks at, and ends with those put off", () => {
  const questions = [
    question({ id: "a", isHeld: true }),
    question({ id: "b" }),
    question({ id: "c", session: "s2" }),
  ];
  const order = ordered(questions, { agent: "codex", session: "s2" });
  expect(order.map(({ id }) => id)).toEqual(["c", "b", "a"]);
});

describe("a question leads to what it is about", () => {
  it("which is the session that asks", () => {
    const asked = question({});
    const session = { agent: "codex", session: "s1" };
    expect(questionAddress(asked)).toEqual({ view: "now", session, query: {} });
    expect([askerOf(asked, { agentType: "Codex" }), askerOf(asked, undefined)]).toEqual([
      "Codex",
      "codex",
    ]);
  });

  it("or the board of the run, where a crew asks", () => {
    const asked = question({ agent: "seam", session: "r1", run: "r1" });
    expect(questionAddress(asked)).toEqual({ view: "crews", query: { run: "r1" } });
    expect(askerOf(asked, undefined)).toBe("Crew");
  });
});

it("a question says in a line what it is about: the command, the file that would change, or its words", () => {
  const about = (more: Partial<Question>) => subjectOf(question(more));
  expect(about({ call: { tool: "bash", input: { command: "rm -rf a\nls" } } })).toBe("rm -rf a");
  const edit = { tool: "edit", input: { path: "src/a.ts", old: "b" }, diff: "--- a\n+++ b" };
  expect(about({ call: edit })).toBe("src/a.ts");
  expect(about({ message: "Which branch?" })).toBe("Which branch?");
  expect(about({})).toBeUndefined();
});
