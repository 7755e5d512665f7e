import { execFileSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { place } from "./cli/seam.ts";

const bash = (command: string) => ({ toolCalls: [{ name: "bash", arguments: { command } }] });
const waitFor = (file: string) => `until [ -e ${file} ]; do sleep 0.05; done`;
const TURNS = [
  bash(waitFor("first")),
  bash("touch held"),
  bash(waitFor("second")),
  bash("touch never"),
  { text: "Done." },
];

interface Listed {
  readonly sessions: readonly { readonly session: string; readonly phase?: string }[];
}

it("a session of Seam's own agent is held, spoken to, let go on and interrupted from elsewhere", async () => {
  const here = place({ "turns.json": JSON.stringify(TURNS) });
  const env = { PATH: process.env.PATH, HOME: here.home, SEAM_HOME: here.home };
  execFileSync("git", ["init", "-q"], { cwd: here.project, env });
  await here.seam("enable", "--agent", "seam");
  const at = (file: string) => join(here.project, file);
  const run = here.seam("run", "-p", "go", "--model", "scripted:turns.json", "--mode", "json");

  const sessions = async () => (await here.seam("hold", "--json")).json<Listed>().sessions;
  await until(async () => (await sessions()).length > 0);
  const [{ session = "" } = {}] = await sessions();
  expect(await here.seam("hold", session)).toMatchObject({ code: 0 });
  expect(await here.seam("say", session, "Mind the gap.")).toMatchObject({ code: 0 });
  writeFileSync(at("first"), "");
  const questions = async () =>
    (await here.seam("inbox", "--json")).json<{ questions: readonly { title: string }[] }>()
      .questions;
  await until(async () => (await questions()).length > 0);
  expect(await questions()).toMatchObject([{ title: "Held at this call" }]);
  expect(existsSync(at("held"))).toBe(false);

  await here.seam("hold", session, "--off");
  await until(() => existsSync(at("held")));
  expect(await here.seam("interrupt", session)).toMatchObject({ code: 0 });
  writeFileSync(at("second"), "");
  const { stdout } = await run;
  expect(stdout).toContain("The user says: Mind the gap.");
  expect(existsSync(at("never"))).toBe(false);
  await here.seam("daemon", "stop");
}, 120_000);

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + 60_000; !(await isSo()); await sleep(50)) {
    if (Date.now() > deadline) throw new Error("It did not happen.");
  }
}
