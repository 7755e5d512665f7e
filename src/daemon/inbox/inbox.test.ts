import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { inFull } from "../../../test/setup/sample.ts";
import { mayRun, testInbox } from "../test-kit/inbox.ts";
import { until } from "../test-kit/setup.ts";
import type { GivenAnswer } from "./question.ts";
import { HELD } from "./unanswered.ts";

const code = (act: () => unknown) => {
  try {
    act();
    return undefined;
  } catch (error) {
    return (error as { code?: string }).code;
  }
};

inFull("a flood of questions of one session is refused, and others can still ask", async () => {
  const { inbox, attach } = testInbox();
  attach();
  const flood = (session: string) =>
    Array.from({ length: 150 }, (_, n) =>
      inbox.ask(mayRun("ls", { session, key: `${session}/${n}` })),
    );
  const refused = { cancelled: true, why: "too many questions wait already" };
  const [first, ...more] = flood("s1");
  expect(await Promise.all(more.slice(99))).toEqual(Array.from({ length: 50 }, () => refused));
  expect(inbox.questions()).toHaveLength(100);
  void inbox.ask(mayRun("ls", { session: "s2", key: "s2/0" }));
  expect(inbox.questions()).toHaveLength(101);
  // With an answer there is room again.
  inbox.answer({ id: inbox.questions()[0]?.id ?? "", value: "yes", who: "me" });
  expect(await first).toMatchObject({ value: "yes" });
  void inbox.ask(mayRun("ls", { key: "s1/later" }));
  expect(inbox.questions()).toHaveLength(101);
  for (let n = 3; n < 30; n++) flood(`s${n}`);
  expect(inbox.questions()).toHaveLength(1_000);
});

it("a question that can wait stands in line until there is room, and costs nothing meanwhile", async () => {
  const { inbox, heard, attach } = testInbox();
  attach();
  const gone = new AbortController();
  const asked = Array.from({ length: 103 }, (_, n) => {
    const signal = n === 100 ? { signal: gone.signal } : {};
    return inbox.ask(mayRun("ls", { key: `${n}`, title: `${n}`, isPatient: true, ...signal }));
  });
  const shown = () => inbox.questions().map(({ title }) => title);
  expect(shown()).toHaveLength(100);
  expect(heard).toHaveLength(100);
  gone.abort();
  expect(await asked[100]).toMatchObject({ cancelled: true });
  const first = inbox.questions()[0]?.id ?? "";
  inbox.answer({ id: first, value: "yes", who: "me" });
  expect(shown()).toHaveLength(100);
  expect(shown()).toContain("101");
  expect(shown()).not.toContain("102");
  inbox.settleAll(() => true, { value: "no", who: "me" });
  expect(shown()).toEqual(["102"]);
  inbox.settleAll(() => true, { value: "yes", who: "me" });
  expect(await asked[101]).toMatchObject({ value: "no" });
  expect(await asked[102]).toMatchObject({ value: "yes" });
});

describe("who is there", () => {
  it("with nobody there a question is closed at once, and nobody hears of it", async () => {
    const { inbox, heard } = testInbox();
    expect(await inbox.ask(mayRun("ls"))).toEqual({
      cancelled: true,
      why: "nobody is there to answer",
    });
    expect([inbox.questions(), heard]).toEqual([[], []]);
  });

  it("the last one who leaves has a moment to come back; then what waits is closed", async () => {
    const { inbox, attach, attended } = testInbox();
    attach()();
    const leave = attach();
    const asked = inbox.ask(mayRun("ls"));
    leave();
    expect(inbox.isAttended).toBe(true);
    expect(await asked).toMatchObject({ cancelled: true, why: "nobody is there to answer" });
    expect(attended).toEqual([true, false]);
  });

  it("a page that is loaded anew finds what waited", async () => {
    const { inbox, attach } = testInbox(undefined, 60_000);
    const leave = attach();
    const asked = inbox.ask(mayRun("ls"));
    leave();
    attach("the same page");
    const [question] = inbox.questions();
    inbox.answer({ id: question?.id ?? "", value: "yes", who: "the page" });
    expect(await asked).toEqual({ value: "yes", who: "the page" });
  });

  it("what is held waits also with nobody there", async () => {
    const { inbox } = testInbox();
    const asked = inbox.ask(mayRun("ls", { isPatient: true }));
    expect(inbox.questions()).toHaveLength(1);
    inbox.settleAll(() => true, { value: "yes", who: "seam hold" });
    expect(await asked).toEqual({ value: "yes", who: "seam hold" });
  });

  it("what is held waits on when everybody left, also after the daemon was killed", async () => {
    const first = testInbox();
    void first.inbox.ask(mayRun("ls", { isPatient: true }));
    const { inbox, attach, attended } = testInbox(first.folder);
    inbox.begin(false);
    const asked = inbox.ask(mayRun("ls", { isPatient: true }));
    attach()();
    await until(() => attended.at(-1) === false);
    expect(inbox.questions()).toHaveLength(1);
    inbox.settleAll(() => true, { value: "yes", who: "seam hold" });
    expect(await asked).toEqual({ value: "yes", who: "seam hold" });
  });

  it('whoever said "not now" may leave: the question waits on, and what else waited is closed', async () => {
    const { inbox, attach, attended } = testInbox();
    const leave = attach();
    const asked = inbox.ask(mayRun("ls"));
    const other = inbox.ask(mayRun("pwd"));
    const id = inbox.questions().find(({ call }) => call?.input.command === "ls")?.id ?? "";
    inbox.answer({ id, act: "hold", who: "the page" });
    leave();
    expect(await other).toMatchObject({ cancelled: true, why: "nobody is there to answer" });
    expect(attended.at(-1)).toBe(false);
    expect(inbox.questions()).toMatchObject([{ id, isHeld: true }]);
    attach("the page, later");
    inbox.answer({ id, value: "yes", who: "the page" });
    expect(await asked).toEqual({ value: "yes", who: "the page" });
  });
});

describe("answers", () => {
  it("the first answer wins, the second one hears whose it was, and all see it", async () => {
    const { inbox, attach, heard } = testInbox();
    attach();
    const asked = inbox.ask(mayRun("rm -rf build"));
    const [{ id = "" } = {}] = inbox.questions();
    inbox.answer({ id, value: "no", who: "the page" });
    expect(() => inbox.answer({ id, value: "yes", who: "seam inbox" })).toThrow(
      `The question ${id} is closed already: the page answered "no".`,
    );
    expect(await asked).toEqual({ value: "no", who: "the page" });
    expect(heard.map(({ type }) => type)).toEqual(["asked", "settled"]);
    inbox.forget("hook/");
    expect(code(() => inbox.answer({ id, value: "yes" }))).toBe("SEAM_INBOX_ANSWERED");
  });

  it.each<[string, Omit<GivenAnswer, "id">, string]>([
    ["an id that nobody has", {}, "SEAM_INBOX_UNKNOWN"],
    ["something that is no choice", { value: "perhaps" }, "SEAM_INBOX_CHOICE"],
    ["nothing", {}, "SEAM_INBOX_CHOICE"],
    [
      "a rule for a path, where there is none",
      { value: "yes", remember: "path" },
      "SEAM_INBOX_REMEMBER",
    ],
  ])("%s is refused, and the question waits on", (what, given, expected) => {
    const { inbox, attach } = testInbox();
    attach();
    void inbox.ask(mayRun("ls"));
    const [{ id: own = "" } = {}] = inbox.questions();
    const id = what.startsWith("an id") ? "nobody" : own;
    expect(code(() => inbox.answer({ id, ...given }))).toBe(expected);
    expect(inbox.questions()).toHaveLength(1);
  });

  it.each([
    ["y", "yes"],
    ["NO", "no"],
    ["deny", "no"],
    [" yes ", "yes"],
  ])("%s is %s", async (given, meant) => {
    const { inbox, attach } = testInbox();
    attach();
    const asked = inbox.ask(mayRun("ls"));
    inbox.answer({ id: inbox.questions()[0]?.id ?? "", value: given });
    expect(await asked).toMatchObject({ value: meant });
  });

  it("whoever asked and does not wait any more takes the question away", async () => {
    const { inbox, attach, heard } = testInbox();
    attach();
    const abort = new AbortController();
    const asked = inbox.ask(mayRun("ls", { signal: abort.signal }));
    abort.abort();
    expect(await asked).toMatchObject({ cancelled: true });
    expect(inbox.questions()).toEqual([]);
    expect(heard.at(-1)).toMatchObject({ type: "settled", settled: { cancelled: true } });
  });
});

describe("too late", () => {
  it("after its deadline a question is closed, and an answer is refused", async () => {
    const { inbox, attach } = testInbox();
    attach();
    const asked = inbox.ask(mayRun("ls", { deadline: Date.now() + 20 }));
    const [{ id = "" } = {}] = inbox.questions();
    expect(await asked).toEqual({ cancelled: true, why: "nobody answered in time" });
    expect(code(() => inbox.answer({ id, value: "yes" }))).toBe("SEAM_INBOX_ANSWERED");
  });

  it("a deadline in many weeks is no deadline now", async () => {
    const { inbox, attach } = testInbox();
    attach();
    const asked = inbox.ask(mayRun("ls", { deadline: Date.now() + 60 * 24 * 3_600_000 }));
    await new Promise((resolve) => setTimeout(resolve, 30));
    inbox.answer({ id: inbox.questions()[0]?.id ?? "", value: "yes", who: "me" });
    expect(await asked).toEqual({ value: "yes", who: "me" });
  });

  it('"not now" keeps it waiting, and is told apart from silence in the end', async () => {
    const { inbox, attach, heard } = testInbox();
    attach();
    const asked = inbox.ask(mayRun("ls", { deadline: Date.now() + 60 }));
    const [{ id = "" } = {}] = inbox.questions();
    expect(inbox.answer({ id, act: "hold", who: "the page" })).toEqual({ held: true });
    expect(inbox.questions()).toMatchObject([{ id, isHeld: true }]);
    expect(heard.at(-1)).toEqual({ type: "held", id, who: "the page" });
    expect(await asked).toEqual({ cancelled: true, why: HELD });
  });

  it('after "not now" it can still be answered', async () => {
    const { inbox, attach } = testInbox();
    attach();
    const asked = inbox.ask(mayRun("ls", { deadline: Date.now() + 60_000 }));
    const [{ id = "" } = {}] = inbox.questions();
    inbox.answer({ id, act: "hold" });
    inbox.answer({ id, value: "yes", who: "me" });
    expect(await asked).toEqual({ value: "yes", who: "me" });
  });

  it('a clock that is set back before "not now" does not let the hook wait beyond its limit', async () => {
    const { inbox, attach } = testInbox();
    attach();
    const asked = inbox.ask(mayRun("ls", { deadline: Date.now() + 60 }));
    clockJumps(-3_600_000);
    inbox.answer({ id: inbox.questions()[0]?.id ?? "", act: "hold" });
    expect(await asked).toEqual({ cancelled: true, why: HELD });
  });

  it('a clock that is set ahead before "not now" does not close the question', async () => {
    const { inbox, attach } = testInbox();
    attach();
    const asked = inbox.ask(mayRun("ls", { deadline: Date.now() + 60_000 }));
    clockJumps(3_600_000);
    const [{ id = "" } = {}] = inbox.questions();
    inbox.answer({ id, act: "hold" });
    await new Promise((resolve) => setTimeout(resolve, 30));
    inbox.answer({ id, value: "yes", who: "me" });
    expect(await asked).toEqual({ value: "yes", who: "me" });
  });
});

/** The time of day alone: what waits for a while does not notice. */
function clockJumps(ms: number): void {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + ms });
  onTestFinished(() => {
    vi.useRealTimers();
  });
}

describe("a daemon that was killed", () => {
  it("the next one shows the same question, and the handler that asks again gets its answer", async () => {
    const first = testInbox();
    first.attach();
    void first.inbox.ask(mayRun("ls"));
    const next = testInbox(first.folder);
    next.inbox.begin(true);
    const [{ id = "" } = {}] = next.inbox.questions();
    expect(id).toBe(first.inbox.questions()[0]?.id);
    next.inbox.answer({ id, value: "yes", who: "the page" });
    expect(await next.inbox.ask(mayRun("ls"))).toEqual({ value: "yes", who: "the page" });
  });

  it("an answer that was given before is not asked for again", async () => {
    const first = testInbox();
    first.attach();
    void first.inbox.ask(mayRun("ls"));
    first.inbox.answer({ id: first.inbox.questions()[0]?.id ?? "", value: "no", who: "me" });
    const next = testInbox(first.folder);
    expect(await next.inbox.ask(mayRun("ls"))).toEqual({ value: "no", who: "me" });
    next.inbox.forget("hook/");
    expect(readdirSync(join(first.folder, "inbox"))).toEqual([]);
  });

  it("a dialog that somebody closed right before stays closed", async () => {
    const first = testInbox();
    first.attach();
    void first.inbox.ask(mayRun("ls"));
    const [{ id = "" } = {}] = first.inbox.questions();
    first.inbox.answer({ id, act: "cancel", who: "me" });
    const next = testInbox(first.folder);
    next.inbox.begin(true);
    expect(next.inbox.questions()).toEqual([]);
    expect(await next.inbox.ask(mayRun("ls"))).toMatchObject({ cancelled: true, who: "me" });
  });

  it("while an answer was not heard somebody is there, so that its handler asks again", async () => {
    const first = testInbox();
    first.attach();
    void first.inbox.ask(mayRun("ls"));
    const [{ id = "" } = {}] = first.inbox.questions();
    first.inbox.answer({ id, value: "no", who: "me" });
    const next = testInbox(first.folder);
    next.inbox.begin(false);
    expect(next.inbox.isAttended).toBe(true);
    await next.inbox.ask(mayRun("ls"));
    expect(next.attended).toEqual([true, false]);
  });

  it("while a question that was put off was not asked again somebody is there, and then it waits on", async () => {
    const first = testInbox();
    first.attach();
    void first.inbox.ask(mayRun("ls"));
    const [{ id = "" } = {}] = first.inbox.questions();
    first.inbox.answer({ id, act: "hold", who: "me" });
    const { inbox, attended } = testInbox(first.folder);
    inbox.begin(false);
    expect(inbox.isAttended).toBe(true);
    const asked = inbox.ask(mayRun("ls"));
    expect(attended).toEqual([true, false]);
    inbox.answer({ id, value: "yes", who: "me" });
    expect(await asked).toEqual({ value: "yes", who: "me" });
  });

  it("whoever answers once more hears what was answered, also after it was heard", async () => {
    const first = testInbox();
    first.attach();
    void first.inbox.ask(mayRun("ls"));
    const [{ id = "" } = {}] = first.inbox.questions();
    first.inbox.answer({ id, value: "no", who: "me" });
    const next = testInbox(first.folder);
    await next.inbox.ask(mayRun("ls"));
    next.inbox.forget("hook/");
    expect(() => next.inbox.answer({ id, value: "yes" })).toThrow('me answered "no"');
  });

  it("a question that nobody asks again is closed before everybody's eyes, and an answer to it is called lost", async () => {
    const first = testInbox();
    first.attach();
    void first.inbox.ask(mayRun("ls"));
    void first.inbox.ask(mayRun("pwd"));
    const next = testInbox(first.folder, 60_000, 20);
    next.inbox.begin(true);
    next.attach();
    const [{ id = "" } = {}, other] = next.inbox.questions();
    next.inbox.answer({ id, value: "yes", who: "me" });
    await until(() => next.heard.length === 3);
    expect(next.heard).toMatchObject([
      { type: "settled", id, settled: { value: "yes" } },
      { type: "settled", id: other?.id, settled: { cancelled: true } },
      { type: "notice", level: "warning", text: expect.stringContaining("changed nothing") },
    ]);
  });

  it("a clock that was set back or far ahead meanwhile does not let a question wait longer than its asker does", async () => {
    const first = testInbox();
    first.attach();
    void first.inbox.ask(mayRun("ls", { deadline: Date.now() + 60 * 24 * 3_600_000 }));
    const next = testInbox(first.folder);
    next.inbox.begin(true);
    next.attach();
    const asked = next.inbox.ask(mayRun("ls", { deadline: Date.now() + 20 }));
    expect(await asked).toEqual({ cancelled: true, why: "nobody answered in time" });
  });

  it("what is damaged on disk is no question", () => {
    const { folder } = testInbox();
    const write = (name: string, text: string) => writeFileSync(join(folder, "inbox", name), text);
    write("a.json", "{");
    write("b.json", "[]");
    write("c.json", '{"key":"x","question":{"id":1}}');
    expect(testInbox(folder).inbox.questions()).toEqual([]);
  });
});

it("an answer that cannot be kept counts all the same", async () => {
  const { inbox, attach, folder } = testInbox();
  attach();
  const asked = inbox.ask(mayRun("ls"));
  rmSync(join(folder, "inbox"), { recursive: true });
  inbox.answer({ id: inbox.questions()[0]?.id ?? "", value: "no", who: "me" });
  expect(await asked).toEqual({ value: "no", who: "me" });
});

describe("rules", () => {
  it('"always" for a command answers that command of that asker in that project, and nothing else', async () => {
    const { inbox, attach, rules } = testInbox();
    attach();
    const asked = inbox.ask(mayRun("npm publish"));
    const [{ id = "", rememberable } = {}] = inbox.questions();
    expect(rememberable).toEqual(["command", "tool"]);
    inbox.answer({ id, value: "yes", remember: "command", who: "me" });
    const rule = rules.list()[0]?.id;
    expect(await asked).toEqual({ value: "yes", who: "me", rule });
    const again = (command: string, more = {}) => inbox.ask(mayRun(command, { key: "k", ...more }));
    expect(await again("npm publish")).toEqual({ value: "yes", who: "a rule", rule });
    for (const other of [
      { cwd: "/other" },
      { by: "another gate" },
      { method: "select" as const },
    ]) {
      const abort = AbortSignal.abort();
      expect(await again("npm publish", { ...other, signal: abort })).toHaveProperty("cancelled");
    }
    expect(await again("npm publish --force", { signal: AbortSignal.abort() })).toHaveProperty(
      "cancelled",
    );
    rules.remove(rule ?? "");
    expect(await again("npm publish", { signal: AbortSignal.abort() })).toHaveProperty("cancelled");
  });

  it("a rule for a path is for that file, from whichever folder of the project it is named", async () => {
    const { inbox, attach, rules } = testInbox();
    attach();
    const writes = (path: string, cwd: string, more = {}) =>
      inbox.ask(mayRun("", { call: { tool: "write", input: { path } }, cwd, key: "k", ...more }));
    const root = mkdtempSync(join(tmpdir(), "project-"));
    const inner = join(root, "packages/a");
    mkdirSync(join(root, ".git"));
    mkdirSync(inner, { recursive: true });
    const asked = writes("src/a.ts", inner);
    const [{ id = "", rememberable } = {}] = inbox.questions();
    expect(rememberable).toEqual(["path", "tool"]);
    inbox.answer({ id, value: "yes", remember: "path" });
    await asked;
    expect(rules.list()).toMatchObject([{ path: "packages/a/src/a.ts", tool: "write" }]);
    inbox.forget("k");
    const signal = AbortSignal.abort();
    for (const [path, cwd] of [
      ["packages/a/src/a.ts", root],
      [join(inner, "src/a.ts"), root],
      ["./src/../src/a.ts", inner],
    ] as const) {
      expect(await writes(path, cwd, { signal })).toMatchObject({ value: "yes", who: "a rule" });
    }
    expect(await writes("src/a.ts", root, { signal })).toHaveProperty("cancelled");
    expect(await writes("src/b.ts", inner, { signal })).toHaveProperty("cancelled");
  });

  it("a rule holds also with nobody there", async () => {
    const { inbox, attach, folder } = testInbox();
    attach();
    void inbox.ask(mayRun("ls"));
    inbox.answer({ id: inbox.questions()[0]?.id ?? "", value: "no", remember: "tool" });
    const next = testInbox(folder);
    next.inbox.forget("hook/");
    expect(await next.inbox.ask(mayRun("pwd"))).toMatchObject({ value: "no", who: "a rule" });
  });

  it("what holds for one command counts before what holds for the tool", async () => {
    const { inbox, attach } = testInbox();
    attach();
    for (const [command, value, remember] of [
      ["rm x", "no", "command"],
      ["ls", "yes", "tool"],
    ] as const) {
      void inbox.ask(mayRun(command));
      inbox.answer({ id: inbox.questions()[0]?.id ?? "", value, remember });
    }
    expect(await inbox.ask(mayRun("rm x", { key: "1" }))).toMatchObject({ value: "no" });
    expect(await inbox.ask(mayRun("pwd", { key: "2" }))).toMatchObject({ value: "yes" });
  });

  it("a rule answers the same question, not another one of the same extension", async () => {
    const { inbox, attach } = testInbox();
    attach();
    void inbox.ask(mayRun("make all", { title: "Skip the lint of make all?" }));
    inbox.answer({ id: inbox.questions()[0]?.id ?? "", value: "yes", remember: "tool" });
    const asked = (title: string, command: string) =>
      inbox.ask(mayRun(command, { title, key: title, signal: AbortSignal.abort() }));
    expect(await asked("Skip the lint of make x?", "make x")).toMatchObject({ value: "yes" });
    expect(await asked("Deploy make x?", "make x")).toHaveProperty("cancelled");
  });

  it("whoever holds a session is asked each time: no rule answers that, and none can be made", async () => {
    const { inbox, attach } = testInbox();
    attach();
    void inbox.ask(mayRun("ls"));
    inbox.answer({ id: inbox.questions()[0]?.id ?? "", value: "yes", remember: "tool" });
    void inbox.ask(mayRun("ls", { key: "held", isPatient: true }));
    const [held] = inbox.questions();
    expect(held?.rememberable).toBeUndefined();
    expect(code(() => inbox.answer({ id: held?.id ?? "", value: "yes", remember: "tool" }))).toBe(
      "SEAM_INBOX_REMEMBER",
    );
  });

  it("rules that somebody broke answer nothing, and say so", async () => {
    const { inbox, rules } = testInbox();
    writeFileSync(rules.path, '{"rules":[{"id":"x","answer":"yes"}]}');
    expect(await inbox.ask(mayRun("ls"))).toHaveProperty("cancelled");
    expect(() => rules.list()).toThrow("cannot be used");
  });
});

it("whatever is asked, answered, put off and killed: every question ends once, with its own answer", async () => {
  const step = fc.oneof(
    fc.record({ do: fc.constant("ask" as const), key: fc.integer({ min: 0, max: 4 }) }),
    fc.record({
      do: fc.constantFrom("yes" as const, "no" as const, "hold" as const, "cancel" as const),
      key: fc.integer({ min: 0, max: 4 }),
    }),
    fc.constant({ do: "kill" as const, key: 0 }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      let now = testInbox();
      now.attach();
      /** What a person said to each question; a daemon that is killed forgets none of it. */
      const said = new Map<number, string>();
      const ends = new Map<number, number>();
      for (const { do: act, key } of steps) {
        const command = `run ${key}`;
        if (act === "kill") {
          now = testInbox(now.folder);
          now.inbox.begin(true);
          now.attach();
          continue;
        }
        if (act === "ask") {
          const { inbox } = now;
          void inbox.ask(mayRun(command)).then((settled) => {
            if ("cancelled" in settled) return;
            ends.set(key, (ends.get(key) ?? 0) + 1);
            expect(settled.value).toBe(said.get(key));
          });
          continue;
        }
        const open = now.inbox.questions().find(({ call }) => call?.input.command === command);
        if (!open) continue;
        const other = act === "hold" || act === "cancel" ? { act } : { value: act };
        now.inbox.answer({ id: open.id, ...other, who: "me" });
        if ("value" in other) said.set(key, other.value ?? "");
      }
      await new Promise((resolve) => setImmediate(resolve));
      for (const [key, value] of said) {
        expect(await now.inbox.ask(mayRun(`run ${key}`))).toMatchObject({ value });
      }
    }),
    { numRuns: 50 },
  );
});
