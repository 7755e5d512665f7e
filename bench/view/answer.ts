import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { atMost, type Case, interleave, medians, pairedRatio } from "../frame.ts";
import {
  end,
  hookCommand,
  newPlace,
  type Place,
  payload,
  startDaemon,
  timeHook,
} from "../hooks/daemon.ts";
import { type BenchPage, openPage } from "./page.ts";

const ROUNDS = 40;
const CLIENTS = 20;

/** Asks a person about one command, and looks at all others. */
const ASKS = `export default (pi) => pi.on("tool_call", async (event, ctx) => {
  if (String(event.input.command) !== "ask first") return;
  if (!(await ctx.ui.confirm("Run it?", "The person decides."))) return { block: true, reason: "no" };
});`;

/** From the answer of a person to the agent that goes on, and what pages cost the hooks. */
export async function* answerCases(
  folder: string,
  say: (text: string) => void,
): AsyncGenerator<Case> {
  const [watched, alone] = [await placeIn(join(folder, "a")), await placeIn(join(folder, "b"))];
  const daemons = [await startDaemon(watched), await startDaemon(alone)];
  try {
    say("answers from the page");
    yield await answerCase(watched);
    say(`hooks while ${CLIENTS} pages are open`);
    yield await clientsCase(watched, alone);
  } finally {
    for (const daemon of daemons) await end(daemon);
  }
}

async function placeIn(folder: string): Promise<Place> {
  const place = await newPlace(folder);
  mkdirSync(join(place.home, "extensions"), { recursive: true });
  writeFileSync(join(place.home, "extensions/asks.ts"), ASKS);
  return place;
}

async function answerCase(place: Place): Promise<Case> {
  const page = await openPage(place);
  const asked: ((id: string) => void)[] = [];
  const close = await page.stream("", ({ type, question }) => {
    if (type === "asked" && question) asked.shift()?.(question.id);
  });
  const series = await interleave(
    {
      answered: () => timeAnswer(place, page, asked),
      decided: async () => timeHook(place, payload(place, "decided", "rm -rf x")),
    },
    { rounds: ROUNDS, warmUps: 3 },
  );
  close();
  return atMost({
    name: "answer from the page to the agent going on",
    value: pairedRatio(series.answered, series.decided),
    bar: 3,
    unit: "times a hook with a decision",
    detail: medians({ answer: series.answered, hook: series.decided }, "ms"),
  });
}

/** Milliseconds from the click to the end of the hook that waited for it. */
async function timeAnswer(
  place: Place,
  page: BenchPage,
  asked: ((id: string) => void)[],
): Promise<number> {
  const question = new Promise<string>((resolve) => asked.push(resolve));
  const child = spawn("/bin/sh", ["-c", hookCommand()], { cwd: place.project, env: place.env });
  const ended = once(child, "exit");
  child.stdin.end(payload(place, `asked-${Math.random()}`, "ask first"));
  const id = await question;
  const startedAt = performance.now();
  const answering = page.post("api/answer", { id, value: "yes" });
  await ended;
  const ms = performance.now() - startedAt;
  await answering;
  return ms;
}

async function clientsCase(watched: Place, alone: Place): Promise<Case> {
  const page = await openPage(watched);
  let heard = 0;
  const follow = "?follow=claude-code/busy";
  const closes = await Promise.all(
    Array.from({ length: CLIENTS }, () => page.stream(follow, () => heard++)),
  );
  const hook = async (place: Place) => timeHook(place, payload(place, "busy", "ls"));
  const series = await interleave(
    { watched: () => hook(watched), alone: () => hook(alone) },
    { rounds: 150, warmUps: 10 },
  );
  // What was told is read once the hooks are through: then every page has heard of each.
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  for (const close of closes) close();
  if (heard < CLIENTS * 100) throw new Error(`The pages heard ${heard} events only.`);
  return atMost({
    name: `hook while ${CLIENTS} pages are open and follow its session`,
    value: pairedRatio(series.watched, series.alone),
    bar: 1.1,
    unit: "times a hook while none is",
    detail: [
      ...medians({ "with pages": series.watched, without: series.alone }, "ms"),
      { name: "events told", value: heard, unit: "" },
    ],
  });
}
