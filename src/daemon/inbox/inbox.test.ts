import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mayRun, testInbox } from "../test-kit/inbox.ts";
import { HELD } from "./inbox.ts";
import type { GivenAnswer } from "./question.ts";

const code = (act: () => unknown) => {
  try {
    act();
    return undefined;
  } catch (error) {
    return (error as { code?: string }).code;
  }
};

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
});

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
