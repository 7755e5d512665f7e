import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ALL_AGENTS } from "../agents/index.ts";
import { runHook, type TestPlace, testDaemon, testPlace } from "./test-kit/setup.ts";

async function daemonAt(settings: object = {}) {
  const place = testPlace();
  place.write({ "settings.json": JSON.stringify(settings) });
  await testDaemon(place, { agents: ALL_AGENTS });
  return place;
}

/** What Claude Code is told about a call of one of its tools. */
async function claude(place: TestPlace, tool_name: string, tool_input: object) {
  const payload = {
    session_id: "s1",
    hook_event_name: "PreToolUse",
    cwd: place.project,
    tool_use_id: "t1",
    tool_name,
    tool_input,
  };
  const end = await runHook(place, "PreToolUse", payload, { agent: "claude-code" });
  expect(end).toMatchObject({ code: 0, stderr: "" });
  return end.stdout === "" ? undefined : JSON.parse(end.stdout).hookSpecificOutput;
}

const write = (file_path: string) => ["Write", { file_path, content: "{}" }] as const;

describe("an agent that wants to take Seam out", () => {
  it("is stopped without any extension, and told why", async () => {
    const place = await daemonAt();
    const calls: (readonly [string, object])[] = [
      write(join(place.home, "settings.json")),
      write(".seam/settings.local.json"),
      ["Bash", { command: `rm -rf ${place.home}` }],
      ["Bash", { command: "seam disable --yes" }],
    ];
    for (const call of calls) {
      const said = await claude(place, ...call);
      expect(said.permissionDecision).not.toBe("allow");
      expect(said.permissionDecisionReason).toContain("unasked");
      expect(said.permissionDecisionReason).toContain("protectSeam");
    }
  });

  it("goes on with all else, Seam's files included if it only reads them", async () => {
    const place = await daemonAt();
    expect(await claude(place, ...write("src/a.ts"))).toBeUndefined();
    const command = `cat ${place.home}/settings.json; git commit -m x`;
    expect(await claude(place, "Bash", { command })).toBeUndefined();
    expect(await claude(place, "Read", { file_path: ".seam/settings.json" })).toBeUndefined();
  });

  it("may if the user says so, and only the user", async () => {
    const place = await daemonAt({ protectSeam: "allow" });
    expect(await claude(place, ...write(".seam/x.ts"))).toBeUndefined();

    const other = await daemonAt();
    mkdirSync(join(other.project, ".seam"), { recursive: true });
    const allow = JSON.stringify({ protectSeam: "allow" });
    writeFileSync(join(other.project, ".seam", "settings.json"), allow);
    writeFileSync(join(other.project, ".seam", "settings.local.json"), allow);
    expect(await claude(other, ...write(".seam/x.ts"))).toBeDefined();
  });

  it("is refused where the agent has no dialog, whatever an extension that asks wants then", async () => {
    const place = await daemonAt();
    const code = `pi.on("tool_call", () => ({ ask: true, reason: "Really?", unanswered: "allow" }))`;
    place.write({ "extensions/asks.ts": `export default (pi) => { ${code}; };` });
    const end = async (file_path: string) => {
      const call = { tool_name: "write_file", tool_input: { file_path, content: "{}" } };
      const payload = {
        session_id: "s1",
        hook_event_name: "BeforeTool",
        cwd: place.project,
        ...call,
      };
      return (await runHook(place, "BeforeTool", payload, { agent: "gemini" })).stdout;
    };
    expect(await end("src/a.ts")).not.toContain("deny");
    const said = await end(".seam/settings.json");
    expect(said).toContain('"decision":"deny"');
    expect(said).toContain("protectSeam");
  });

  it("is refused without a question where the user or the project wants that", async () => {
    const user = await daemonAt({ protectSeam: "block" });
    expect((await claude(user, ...write(".seam/x.ts"))).permissionDecision).toBe("deny");

    const project = await daemonAt();
    const block = JSON.stringify({ protectSeam: "block" });
    writeFileSync(join(project.project, ".seam", "settings.json"), block);
    expect((await claude(project, ...write(".seam/x.ts"))).permissionDecision).toBe("deny");
  });
});
