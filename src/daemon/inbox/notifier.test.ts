import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { Log } from "../log.ts";
import { until } from "../test-kit/setup.ts";
import { Notifier, notification } from "./notifier.ts";
import type { Question } from "./question.ts";

const asking = (more: Partial<Question> = {}): Question => ({
  id: "q1",
  agent: "claude-code",
  session: "s",
  cwd: "/",
  by: "permission-gate",
  method: "confirm",
  title: "Run bash?",
  otherwise: "It is stopped.",
  at: "2026-11-01T10:00:00.000Z",
  call: { tool: "bash", input: { command: "rm -rf build" } },
  ...more,
});

/** A notifier whose program writes down what it was given. */
function notifier(settings: { notify?: boolean; notifyAfterSeconds?: number } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "seam-"));
  const file = join(folder, "told");
  writeFileSync(file, "");
  const made = new Notifier({
    log: new Log(join(folder, "log")),
    settings: () => ({
      attended: "clients",
      notify: true,
      notifyAfterSeconds: 0.01,
      notifyCommand: `printf '%s|%s|%s;' "$SEAM_QUESTION" "$SEAM_TITLE" "$SEAM_TEXT" >> ${file}`,
      ...settings,
    }),
  });
  onTestFinished(() => made.close());
  return { made, told: () => readFileSync(file, "utf8") };
}

describe("a question that waits", () => {
  it("is told by the program of the settings, with what it is about", async () => {
    const { made, told } = notifier();
    made.hear({ type: "asked", question: asking() });
    await until(() => told().endsWith(";"));
    expect(told()).toBe("q1|Run bash?|Run bash?\nrm -rf build;");
  });

  it("is not told if it was answered or put off by then, or nobody wants to hear", async () => {
    const { made, told } = notifier({ notifyAfterSeconds: 0.1 });
    for (const id of ["a", "b", "c"])
      made.hear({ type: "asked", question: asking({ id, title: id }) });
    made.hear({ type: "held", id: "a", who: "me" });
    const settled = { value: "yes", who: "me" };
    made.hear({ type: "settled", id: "b", question: asking({ id: "b" }), settled });
    const quiet = notifier({ notify: false });
    quiet.made.hear({ type: "asked", question: asking() });
    await until(() => told().endsWith(";"));
    expect([told().split("|")[0], quiet.told()]).toEqual(["c", ""]);
  });

  it("is told also if an agent or an extension wrote what no program can be given", async () => {
    const { made, told } = notifier();
    const call = { tool: "bash", input: { command: "rm\0-rf build" } };
    made.hear({ type: "asked", question: asking({ title: `Run\0${"x".repeat(1e6)}`, call }) });
    await until(() => told().endsWith(";"));
    expect(told()).toMatch(/^q1\|Run x{400,500}\|/);
  });
});

it("shows a text as an argument of the desktop's program, never as a part of a script", () => {
  const text = '"; do shell script "touch /tmp/x';
  const { program, args = [] } = notification(undefined, "t", text, "darwin") ?? {};
  expect([program, args.at(-1)]).toEqual(["/usr/bin/osascript", text]);
  expect(args[1]).not.toContain(text);
});
