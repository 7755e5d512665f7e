import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as authors from "../src/doors/agentseam.ts";
import { virtualModules } from "../src/extensions/modules/index.ts";
import { ROOT } from "./docs/markdown-files.ts";
import { type DeclaredName, declaredNames } from "./doors/declared-names.ts";
import { completed, examplesIn } from "./doors/examples.ts";
import { freshProject, type Packed, typeCheck } from "./doors/fresh-project.ts";
import { inFull } from "./setup/sample.ts";

const NODE = { module: "nodenext", moduleResolution: "nodenext" };
const BUNDLER = { module: "esnext", moduleResolution: "bundler" };

/** The names of the RFC about storing tool calls and of oh-my-pi's shared events. */
const FROM_AUTHORS = `
  ToolCallPersistEvent SessionStartEvent SessionBeforeSwitchEvent SessionSwitchEvent
  SessionBeforeBranchEvent SessionBranchEvent SessionBeforeCompactEvent SessionCompactingEvent
  SessionCompactEvent SessionShutdownEvent TreePreparation SessionBeforeTreeEvent SessionTreeEvent
  GoalUpdatedEvent SessionEvent ContextEvent AgentStartEvent AgentEndEvent TurnStartEvent
  TurnEndEvent AutoCompactionStartEvent AutoCompactionEndEvent AutoRetryStartEvent
  AutoRetryEndEvent TtsrTriggeredEvent TodoReminderEvent ToolCallEventResult
  ToolResultEventResult SessionBeforeSwitchResult SessionBeforeBranchResult
  SessionBeforeCompactResult SessionCompactingResult SessionBeforeTreeResult AgentMessage
  CompactionPreparation CompactionResult ImageContent TextContent ToolResultMessage Rule Goal
  GoalModeState BranchSummaryEntry CompactionEntry SessionEntry TodoItem
`;

/** The names of Entire's Go package, members aside. */
const FROM_AGENTS = `
  AllProtectedDirs ChunkFileName ChunkJSONL ChunkTranscript DetectAgentTypeFromContent List
  ParseChunkIndex ReadAndParseHookInput ReassembleJSONL ReassembleTranscript Register
  SortChunkFiles StringList MaxChunkSize ChunkSuffix AgentNameClaudeCode AgentNameCursor
  AgentNameGemini AgentNameOpenCode AgentNameFactoryAIDroid AgentTypeClaudeCode AgentTypeCursor
  AgentTypeGemini AgentTypeOpenCode AgentTypeFactoryAIDroid AgentTypeUnknown DefaultAgentName
  Default Detect DetectAll GetByAgentType Agent AgentSession EntryType Event EventType
  SessionStart TurnStart TurnEnd Compaction SessionEnd SubagentStart SubagentEnd Factory
  FileWatcher HookInput HookResponseWriter HookSupport HookType SessionChange SessionEntry
  SubagentAwareExtractor TokenCalculator TokenUsage CalculateTokenUsage TranscriptAnalyzer
  TranscriptPreparer
`;

const importing = (names: string, door: string) =>
  `export type { ${names.trim().split(/\s+/).join(", ")} } from "${door}";\n`;

const EXTENSION = `import { type ExtensionAPI, isBashToolResult, type ToolCallPersistEvent } from "agentseam";

export default function (pi: ExtensionAPI) {
  pi.on("tool_result", (event) => {
    if (isBashToolResult(event)) event.content.push({ type: "text", text: event.input.command });
  });
  pi.on("before_tool_call_persist", async (event: ToolCallPersistEvent) => {
    pi.logger.info(event.sessionKey, event.toolResult);
  });
}
`;

let packed: Packed;
const parsed = new Map<string, readonly DeclaredName[]>();

/** The names of a door. Every example asks for them, and the file is long: it is parsed once. */
function namesOf(door: string): readonly DeclaredName[] {
  const names =
    parsed.get(door) ?? declaredNames(`${packed.project}/node_modules/agentseam/dist/${door}.d.ts`);
  parsed.set(door, names);
  return names;
}

/** Every example in the comments of the doors as a file. */
function examplesOfDoors(): Readonly<Record<string, string>> {
  const doors = { agentseam: "agentseam", host: "agentseam/host", agents: "agentseam/agents" };
  const all = { ...doors, testing: "agentseam/testing" };
  const files = Object.entries(all).flatMap(([door, specifier]) =>
    examplesIn(namesOf(door)).map(({ name, code }, index): [string, string] => [
      // Some names of Entire's differ from Seam's only in a capital letter.
      `example-${door}-${index}-${name}.ts`,
      completed(code, specifier, namesOf(door)),
    ]),
  );
  return Object.fromEntries(files);
}

beforeAll(async () => {
  packed = await freshProject();
});
afterAll(() => packed.remove());

describe("the types of the package, in a project that checks its libraries too", () => {
  const files = {
    "extension.ts": EXTENSION,
    "authors.ts": importing(FROM_AUTHORS, "agentseam"),
    "agents.ts": importing(FROM_AGENTS, "agentseam/agents"),
    "program.ts": `import { createTestHost } from "agentseam/testing";
      import { createAgent, loadExtensions, SeamError } from "agentseam/host";
      import { SeamError as Same } from "agentseam";
      import extension from "./extension.${"js"}";
      const host = await createTestHost({ extensions: [{ name: "x", factory: extension }] });
      const set = await loadExtensions({ cwd: ".", sources: [{ name: "x", factory: extension }] });
      const error: Same = new SeamError("SEAM_USAGE");
      console.log(host, set, createAgent, error.code);
    `,
  };

  inFull("hold for Node, and so do the examples of all names", async () => {
    const examples = examplesOfDoors();
    expect(Object.keys(examples).length).toBeGreaterThan(50);
    // In one run: nearly all of its time goes into the libraries, which are the same for both.
    expect(await typeCheck(packed.project, { ...files, ...examples }, NODE)).toBe("");
  });

  inFull("hold for a bundler", async () => {
    expect(await typeCheck(packed.project, files, BUNDLER)).toBe("");
  });

  it("of an extension are in at most 20 files, and in this package in one", async () => {
    const list = await typeCheck(packed.project, { "extension.ts": EXTENSION }, NODE, [
      "--listFilesOnly",
    ]);
    const files = list
      .split("\n")
      .filter((path) => !/typescript|@types\/|undici-types|typebox/.test(path));
    expect(files.length).toBeLessThanOrEqual(20);
    expect(files.filter((path) => path.includes("node_modules/agentseam/"))).toHaveLength(1);
  });

  inFull("are found by every way to resolve modules that knows of exports", async () => {
    const analysis = await checkPackage(createPackageFromTarballData(packed.tarball));
    if (!analysis.types) throw new Error("There are no types.");
    // Node 10 knows no exports, and CommonJS has to use import(): neither is a fault of the types.
    const known = new Set(["NoResolution", "CJSResolvesToESM"]);
    expect(analysis.problems.filter(({ kind }) => !known.has(kind))).toEqual([]);
  });

  inFull("and everything else in package.json lead to files that are there", async () => {
    const { messages } = await publint({ pkgDir: `${packed.project}/node_modules/agentseam` });
    expect(messages.filter(({ type }) => type !== "suggestion")).toEqual([]);
  });
});

describe("the names", () => {
  it.each(["agentseam", "host", "agents", "testing"])("of %s say what they are", (door) => {
    const names = namesOf(door);
    expect(names.length).toBeGreaterThan(5);
    expect(names.filter(({ comment }) => comment === "").map(({ name }) => name)).toEqual([]);
  });

  it.each(["agentseam", "host", "testing"])(
    "of %s that are called have an example",
    async (door) => {
      const shown = new Set(examplesIn(namesOf(door)).map(({ name }) => name));
      const called = Object.entries<unknown>(await import(`${ROOT}/dist/${door}.js`))
        .filter(([name, value]) => typeof value === "function" && /^[a-zA-Z]/.test(name))
        .map(([name]) => name);
      expect(called.length).toBeGreaterThan(0);
      expect(called.filter((name) => !shown.has(name))).toEqual([]);
    },
  );

  it("for authors are at most 70 beside the interfaces of events and results", () => {
    const names = namesOf("agentseam").map(({ name }) => name);
    const carried = new Set(["SkillEvent", "SessionEvent"]);
    const others = new Set(["CompactionResult", "ExecResult", "ToolResult"]);
    const isOfEvent = (name: string) =>
      /^[A-Z].*(Event|Result)$/.test(name) && !carried.has(name) && !others.has(name);
    expect(names.filter((name) => !isOfEvent(name)).length).toBeLessThanOrEqual(70);
  });

  it("that an extension imports while it runs are those of the door", () => {
    const { light } = virtualModules(() => {
      throw new Error("Nothing is asked.");
    });
    expect(Object.keys(light.agentseam ?? {}).sort()).toEqual(Object.keys(authors).sort());
    expect(Object.keys(authors).length).toBeLessThanOrEqual(40);
  });

  it("are the same thing behind every door", async () => {
    const door = (name: string) => import(`${ROOT}/dist/${name}.js`);
    const [agentseam, host] = await Promise.all([door("agentseam"), door("host")]);
    expect(host.SeamError).toBe(agentseam.SeamError);
  });
});

describe("what is installed", () => {
  it("is at most 400 files, without source maps and test kits", () => {
    const paths = packed.files.map(({ path }) => path);
    expect(paths.length).toBeLessThanOrEqual(400);
    expect(paths.filter((path) => /\.map$|test-kit|\.test\./.test(path))).toEqual([]);
    expect(paths).toContain("dist/THIRD-PARTY-LICENCES.txt");
  });
});
