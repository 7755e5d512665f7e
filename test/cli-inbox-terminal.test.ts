import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newPlace, type Place } from "./cli/seam.ts";
import { Terminal, whyNoTerminal } from "./cli/terminal.ts";

const GATE = `export default (pi) => {
  pi.on("tool_call", async ({ input }, ctx) => {
    if (input.command === "echo gate") return { ask: true, reason: "It asks." };
    const name = await ctx.ui.input("Whose?");
    return { block: true, reason: "It is " + name + "'s." };
  });
};`;

const bash = (command: string) => ({ toolCalls: [{ name: "bash", arguments: { command } }] });
const TURNS = [
  ...Array.from({ length: 3 }, () => bash("echo gate")),
  bash("pwd"),
  { text: "Done." },
];

interface Waiting {
  readonly questions: readonly { readonly id: string }[];
}

describe.skipIf(whyNoTerminal)("seam inbox --watch on a terminal", () => {
  let here: Place;
  beforeAll(() => {
    here = newPlace();
    writeFileSync(join(here.project, "turns.json"), JSON.stringify(TURNS));
    writeFileSync(join(here.project, "gate.ts"), GATE);
  });
  afterAll(async () => {
    await here.seam("daemon", "stop");
    here.remove();
  });

  it("rings, shows the whole question, and takes answers: yes, not now, one for good, and any text", async () => {
    const env = { PATH: process.env.PATH, HOME: here.home, SEAM_HOME: here.home };
    const watch = new Terminal(["inbox", "--watch"], { cwd: here.project, env });
    await watch.shows("Attached");
    // It is attached when the daemon says so.
    for (let clients = 0; clients === 0; ) {
      const status = await here.seam("daemon", "status", "--json");
      clients = status.json<{ services: { inbox: { clients: number } } }>().services.inbox.clients;
    }
    expect(watch.raw).not.toContain("\x07");
    const asks = ["--mode", "json", "--model", "scripted:turns.json", "-e", "./gate.ts"];
    const run = here.seam("run", "-p", "go", ...asks);
    await watch.shows("echo gate");
    await watch.shows("y yes, n no, . not now, always or never for this command >");
    expect(watch.raw).toContain("\x07");
    watch.type("perhaps\r");
    await watch.shows("It takes one of these: yes, no");
    await watch.shows("y yes, n no");
    watch.type("y\r");
    await watch.shows('seam inbox answered "yes"');
    await watch.shows("y yes, n no");
    watch.type(".\r");
    await watch.shows("It waits on. To answer it: seam inbox answer ");
    const [{ id = "" } = {}] = (await here.seam("inbox", "--json")).json<Waiting>().questions;
    await here.seam("inbox", "answer", id, "yes");
    await watch.shows("y yes, n no");
    watch.type("never\r");
    await watch.shows("To take it back: seam rules remove");
    await watch.shows("Whose?");
    await watch.shows("your answer >");
    // Where a text is wanted, a word is that word.
    watch.type("never\r");
    expect(/It is .+?'s\./.exec((await run).stdout)?.[0]).toBe("It is never's.");
    expect((await here.seam("rules")).stdout).toMatch(/no {2}bash {2}echo gate/);
    watch.type("\x03");
    await watch.exited;
  });
});
