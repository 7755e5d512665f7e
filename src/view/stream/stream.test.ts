import { describe, expect, it } from "vitest";
import { sendHook } from "../../daemon/connection.ts";
import { mayRun } from "../../daemon/test-kit/inbox.ts";
import { until } from "../../daemon/test-kit/setup.ts";
import type { Now, Problem, StreamEvent } from "../api.ts";
import { enter, openStream, viewDaemon } from "../test-kit/page.ts";

const typesOf = (events: readonly StreamEvent[]) => events.map(({ type }) => type);

async function setUp() {
  const daemon = await viewDaemon();
  const page = await enter(daemon.paths);
  return { daemon, page, inbox: daemon.around.inbox };
}

describe("a question", () => {
  it("reaches every page that is open; the first answer wins and all see who gave it", async () => {
    const { daemon, page, inbox } = await setUp();
    const other = await enter(daemon.paths);
    const streams = [await page.stream(), await other.stream()];
    await until(() => inbox.isAttended);
    const asked = inbox.ask(mayRun("rm -rf build"));
    await until(() => streams.every(({ events }) => typesOf(events).includes("asked")));
    const now = (await page.get("api/now")).json<Now>();
    const [question] = now.questions;
    expect(question).toMatchObject({
      title: "Run bash?",
      call: { input: { command: "rm -rf build" } },
    });
    const id = question?.id;
    const wrong = await page.post("api/answer", { id, value: "perhaps" });
    expect([wrong.status, wrong.json<Problem>().error.code]).toEqual([400, "SEAM_INBOX_CHOICE"]);
    const answers = await Promise.all([
      page.post("api/answer", { id, value: "yes", who: "somebody else" }),
      other.post("api/answer", { id, value: "no" }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const late = answers.find(({ status }) => status === 409)?.json<Problem>();
    expect(late?.error).toMatchObject({ code: "SEAM_INBOX_ANSWERED" });
    const settled = await asked;
    expect(settled).toMatchObject({ who: "the page" });
    await until(() => streams.every(({ events }) => typesOf(events).includes("settled")));
    for (const { events } of streams) {
      expect(events.find(({ type }) => type === "settled")).toMatchObject({ id, settled });
    }
    expect((await page.post("api/answer", { id: "none", value: "yes" })).status).toBe(404);
  });

  it("can be put off, and closed", async () => {
    const { page, inbox } = await setUp();
    const stream = await page.stream();
    await until(() => inbox.isAttended);
    const asked = inbox.ask(mayRun("make"));
    await until(() => inbox.questions().length === 1);
    const id = inbox.questions()[0]?.id;
    expect((await page.post("api/answer", { id, act: "hold" })).json()).toEqual({ held: true });
    await until(() => typesOf(stream.events).includes("held"));
    await page.post("api/answer", { id, act: "cancel" });
    expect(await asked).toMatchObject({ cancelled: true, who: "the page" });
  });

  it("is asked of nobody while no page is open, and the daemon stays while one is", async () => {
    const { daemon, page, inbox } = await setUp();
    expect(inbox.isAttended).toBe(false);
    const stream = await page.stream();
    await until(() => inbox.clients === 1);
    const second = await page.stream();
    expect(inbox.clients).toBe(1);
    stream.close();
    second.close();
    await until(() => inbox.clients === 0);
    expect(daemon.around.inbox.questions()).toEqual([]);
  });
});

describe("the stream", () => {
  it("begins with the word to load everything, and tells of sessions and what they do", async () => {
    const { daemon, page } = await setUp();
    const stream = await page.stream("?follow=aider/s1");
    const other = await page.stream("?follow=aider/s2");
    await until(() => stream.events.length > 0 && other.events.length > 0);
    expect(stream.events[0]).toEqual({ type: "reload" });
    await sendHook(daemon.paths, {
      agent: "aider",
      hook: "raw",
      pid: 1,
      payload: { session: "s1", cwd: daemon.paths.project },
    });
    await until(() => typesOf(stream.events).includes("grew"));
    expect(typesOf(stream.events)).toContain("hook");
    await until(() => typesOf(other.events).includes("grew"));
    expect(typesOf(other.events)).not.toContain("hook");
  });

  it("goes on where it broke off", async () => {
    const { page, inbox } = await setUp();
    const first = await page.stream();
    const keeper = await page.stream();
    await until(() => inbox.clients === 1 && keeper.events.length > 0);
    const notice = (text: string) =>
      inbox.publish({ type: "notice", agent: "a", session: "s", text, level: "info" });
    notice("one");
    await until(() => first.events.length === 2);
    first.close();
    for (const text of ["two", "three"]) notice(text);
    await until(() => keeper.events.length === 4);
    const again = await page.stream("", first.lastId());
    await until(() => again.events.length === 2);
    expect(again.events).toMatchObject([{ text: "two" }, { text: "three" }]);
    for (const id of ["nonsense", "zzz-1", `${first.lastId()?.split("-")[0]}-999999`]) {
      const lost = await page.stream("", id);
      await until(() => lost.events.length > 0);
      expect([id, lost.events[0]]).toEqual([id, { type: "reload" }]);
    }
  });

  it("is there for 50 pages at once, and for no more than a hundred", async () => {
    const { page, inbox } = await setUp();
    const streams = await Promise.all(Array.from({ length: 50 }, () => page.stream()));
    inbox.publish({ type: "notice", agent: "a", session: "s", text: "all", level: "info" });
    await until(() => streams.every(({ events }) => events.length === 2));
    await Promise.all(Array.from({ length: 50 }, () => page.stream()));
    await expect(openStream(page.port, "/api/stream", page.cookie)).rejects.toThrow("status 503");
    for (const { close } of streams) close();
    await until(() => inbox.clients === 1);
    const again = await page.stream();
    await until(() => again.events.length === 1);
  });
});
