import { expect, it } from "vitest";
import type { Question } from "../../daemon/index.ts";
import { questionLines } from "./question-lines.ts";

it("names what nobody would see in a command, and lets no terminal obey it", () => {
  const question: Question = {
    id: "q1",
    agent: "codex",
    session: "s1",
    cwd: "/shop",
    at: "2026-01-01T00:00:00Z",
    method: "confirm",
    title: "Run \x1b[2Jbash?",
    by: "gate",
    otherwise: "The call is stopped.",
    call: { tool: "bash", input: { command: "rm -rf /tmp/\u202etxt.a \x1b[2K\rb" } },
  };
  const text = questionLines(question).join("\n");
  expect(text).toContain("rm -rf /tmp/⟨U+202E⟩txt.a ⟨U+001B⟩[2K⟨U+000D⟩b");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not be there.
  expect(text).not.toMatch(/[\x00-\x08\x0b-\x1f\u202e]/);
});
