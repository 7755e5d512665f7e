import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { commandTree } from "./cli/command-tree.ts";
import { type Ended, place } from "./cli/seam.ts";
import { Terminal, whyNoTerminal } from "./cli/terminal.ts";
import { hasTime } from "./setup/sample.ts";

/** The commands a help text lists, each with a summary behind it. */
function commandsIn({ stdout }: Ended): string[] {
  const names = [...stdout.matchAll(/^ {2}([a-z]+)(?: [[<].*?)? {2,}\S/gm)];
  return names.map(([, name = ""]) => name).filter((name) => name !== "help");
}

describe("help", () => {
  it("every command explains itself with examples", async () => {
    const here = place();
    const top = await here.seam("--help");
    const ext = await here.seam("ext", "--help");
    expect(commandsIn(top)).toEqual(expect.arrayContaining(["ext", "trust", "config", "demo"]));
    expect(commandsIn(ext)).toEqual(["add", "remove", "update", "list", "check", "new", "test"]);
    const doctor = await here.seam("doctor", "--help");
    for (const { code, stdout } of [top, doctor]) {
      expect(code).toBe(0);
      expect(stdout).toContain("Usage: seam");
      expect(stdout).toMatch(/Examples:\n {2}seam /);
    }
    // The others say it without being started, which would take a process for each.
    const tree = await commandTree();
    for (const name of [...commandsIn(top), ...commandsIn(ext).map((name) => `ext ${name}`)]) {
      if (name === "ext") continue;
      const said: string[] = [];
      tree
        .get(name)
        ?.configureOutput({ writeOut: (text) => said.push(text) })
        .outputHelp();
      const help = said.join("");
      expect(help, name).toContain(`Usage: seam ${name}`);
      expect(help, name).toMatch(/Examples:\n {2}seam /);
    }
  });

  it("an unknown command is an error with a hint", async () => {
    const { code, stderr } = await place().seam("ext", "chekc");
    expect(code).not.toBe(0);
    expect(stderr).toContain("Did you mean check?");
    const other = await place().seam("nonsense");
    expect(other.code).not.toBe(0);
    expect(other.stderr).toContain("--help");
  });

  it("--version is the version of the package", async () => {
    const { version } = JSON.parse(
      readFileSync(join(import.meta.dirname, "../package.json"), "utf8"),
    ) as { version: string };
    expect((await place().seam("--version")).stdout.trim()).toBe(version);
  });
});

describe("demo", () => {
  it("shows a commit with what the agent did for it, and what was stopped", async () => {
    const { code, stdout, stderr } = await place().seam("demo");
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(/^checkpoint [0-9a-f]{12}$/m);
    // A call and its result are one use of the skill.
    expect(stdout.match(/▸ Skill: greeting/g)).toHaveLength(1);
    expect(stdout).toMatch(
      /✗ bash rm -rf notes\n +stopped by permission-gate: "rm -rf notes" deletes whole folders\./,
    );
    expect(stdout).toContain("GREETING.md");
    expect(stdout).toContain("seam enable");
  });

  it.runIf(hasTime && !whyNoTerminal)(
    "on a terminal it ends with the page, which is there until Ctrl+C",
    async () => {
      const { project, home } = place();
      const env = { PATH: process.env.PATH, HOME: home, SEAM_HOME: home };
      const demo = new Terminal(["demo"], { cwd: project, env });
      await demo.shows("Ctrl+C ends the demo");
      const [address = ""] = /http:\/\/127\.0\.0\.1:\d+\//.exec(demo.text) ?? [];
      expect((await fetch(address)).status).toBe(200);
      demo.type("\x03");
      expect(await demo.exited).toBe(0);
      await expect(fetch(address)).rejects.toThrow();
      // It is no page of the user's own.
      expect(readdirSync(home)).toEqual([]);
    },
  );

  it("--json gives the checkpoint's session as it is stored", async () => {
    const { code, json } = await place().seam("demo", "--json");
    expect(code).toBe(0);
    expect(json()).toMatchObject({
      checkpoint: expect.stringMatching(/^[0-9a-f]{12}$/),
      session: {
        agent: "Seam",
        files_touched: ["GREETING.md"],
        skill_events_version: 1,
        skill_events: [
          {
            skill: { name: "greeting" },
            event_type: "tool_invocation",
            transcript_anchor: {
              unit: "line",
              start: expect.any(Number),
              end: expect.any(Number),
              entry_ids: [expect.any(String)],
              tool_use_id: expect.any(String),
            },
          },
        ],
        blocked_calls: [{ tool: "bash", by: "permission-gate" }],
      },
    });
  });
});

describe("config", () => {
  it("shows every setting and where it comes from; later files win", async () => {
    const here = place({ ".seam/settings.local.json": '{ "loadDeadlineMs": 2000 }' });
    await here.seam("trust", "--yes");
    writeFileSync(
      join(here.home, "settings.json"),
      '{ "loadDeadlineMs": 1000, "disabled": ["x"] }',
    );
    const { code, stdout } = await here.seam("config");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^loadDeadlineMs +\.seam\/settings\.local\.json +2000$/m);
    expect(stdout).toMatch(/^disabled +\S*settings\.json +\["x"\]$/m);
    expect(stdout).toMatch(/^packages +default +\[\]$/m);
  });

  it("understands comments, and names the nearest setting to an unknown one", async () => {
    const here = place({
      ".seam/settings.json": '{\n  // mine\n  "disabledd": [],\n  "loadDeadlineMs": -1,\n}',
    });
    const { stdout, code } = await here.seam("config");
    expect(code).toBe(0);
    expect(stdout).toContain('Did you mean "disabled"?');
    expect(stdout).toContain('"loadDeadlineMs"');
    const { problems, settings } = (await here.seam("config", "--json")).json<{
      problems: { code: string }[];
      settings: { loadDeadlineMs: number };
    }>();
    expect(problems.map((problem) => problem.code)).toEqual([
      "SEAM_SETTINGS_UNKNOWN",
      "SEAM_SETTINGS_VALUE",
    ]);
    expect(settings.loadDeadlineMs).toBe(10_000);
  });

  it("a broken file is named and ignored", async () => {
    const here = place({ ".seam/settings.json": "{ broken" });
    const { stdout, code } = await here.seam("config");
    expect(code).toBe(0);
    expect(stdout).toContain("settings.json is not valid JSON");
  });

  it("a project's file cannot make Seam run something before the user agreed to it", async () => {
    const here = place({ ".seam/settings.json": '{ "extensions": ["./x.ts"] }', "x.ts": "" });
    const extensions = async () =>
      (await here.seam("config", "--json")).json<{ settings: { extensions: string[] } }>().settings
        .extensions;
    expect(await extensions()).toEqual([]);
    expect((await here.seam("config")).stdout).toContain("run: seam trust");
    await here.seam("trust", "--yes");
    expect(await extensions()).toEqual([join(here.project, "x.ts")]);
  });
});
