import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { PAGES, ROOT } from "./docs/markdown-files.ts";

/** Every name of Entire's Go package, members behind a dot. */
const GO_NAMES = `
  AllProtectedDirs ChunkFileName ChunkJSONL ChunkTranscript DetectAgentTypeFromContent List
  ParseChunkIndex ReadAndParseHookInput ReassembleJSONL ReassembleTranscript Register
  SortChunkFiles StringList MaxChunkSize ChunkSuffix AgentNameClaudeCode AgentNameCursor
  AgentNameGemini AgentNameOpenCode AgentNameFactoryAIDroid AgentTypeClaudeCode
  AgentTypeCursor AgentTypeGemini AgentTypeOpenCode AgentTypeFactoryAIDroid AgentTypeUnknown
  DefaultAgentName Default Detect DetectAll GetByAgentType Agent Agent.Name Agent.Type
  Agent.Description Agent.IsPreview Agent.DetectPresence Agent.ProtectedDirs
  Agent.ReadTranscript Agent.ChunkTranscript Agent.ReassembleTranscript Agent.GetSessionID
  Agent.GetSessionDir Agent.ResolveSessionFile Agent.ReadSession Agent.WriteSession
  Agent.FormatResumeCommand AgentSession AgentSession.SessionID AgentSession.AgentName
  AgentSession.RepoPath AgentSession.SessionRef AgentSession.StartTime AgentSession.NativeData
  AgentSession.ModifiedFiles AgentSession.NewFiles AgentSession.DeletedFiles
  AgentSession.Entries AgentSession.FindToolResultUUID AgentSession.GetLastAssistantResponse
  AgentSession.GetLastUserPrompt AgentSession.TruncateAtUUID EntryType Event Event.Type
  Event.SessionID Event.PreviousSessionID Event.SessionRef Event.Prompt Event.Timestamp
  Event.ToolUseID Event.SubagentID Event.ToolInput Event.SubagentType Event.TaskDescription
  Event.ResponseMessage Event.Metadata EventType SessionStart TurnStart TurnEnd Compaction
  SessionEnd SubagentStart SubagentEnd Factory FileWatcher FileWatcher.GetWatchPaths
  FileWatcher.OnFileChange HookInput HookInput.HookType HookInput.SessionID
  HookInput.SessionRef HookInput.Timestamp HookInput.UserPrompt HookInput.ToolName
  HookInput.ToolUseID HookInput.ToolInput HookInput.ToolResponse HookInput.RawData
  HookResponseWriter HookResponseWriter.WriteHookResponse HookSupport HookSupport.HookNames
  HookSupport.ParseHookEvent HookSupport.InstallHooks HookSupport.UninstallHooks
  HookSupport.AreHooksInstalled HookType SessionChange SessionChange.SessionID
  SessionChange.SessionRef SessionChange.EventType SessionChange.Timestamp SessionEntry
  SessionEntry.UUID SessionEntry.Type SessionEntry.Timestamp SessionEntry.Content
  SessionEntry.ToolName SessionEntry.ToolInput SessionEntry.ToolOutput
  SessionEntry.FilesAffected SubagentAwareExtractor
  SubagentAwareExtractor.ExtractAllModifiedFiles
  SubagentAwareExtractor.CalculateTotalTokenUsage TokenCalculator
  TokenCalculator.CalculateTokenUsage TokenUsage TokenUsage.InputTokens
  TokenUsage.CacheCreationTokens TokenUsage.CacheReadTokens TokenUsage.OutputTokens
  TokenUsage.APICallCount TokenUsage.SubagentTokens CalculateTokenUsage TranscriptAnalyzer
  TranscriptAnalyzer.GetTranscriptPosition TranscriptAnalyzer.ExtractModifiedFilesFromOffset
  TranscriptAnalyzer.ExtractPrompts TranscriptAnalyzer.ExtractSummary TranscriptPreparer
  TranscriptPreparer.PrepareTranscript
`
  .trim()
  .split(/\s+/);

/** The rows of the table: name in Go, name here, what is different. */
const ROWS = [
  ...(PAGES.get("docs/agents-api.md") ?? "").matchAll(/^\| `(.+?)` \| (.*?) \|(.*)\|$/gm),
].map(([, go = "", ours = "", note = ""]) => ({ go, ours, note }));

it("the table has every name of the Go package, and no empty cell", () => {
  expect(ROWS.map(({ go }) => go)).toEqual(GO_NAMES);
  expect(ROWS.filter(({ ours }) => !/^`[A-Za-z_.]+`$/.test(ours))).toEqual([]);
});

it("every name of ours in the table is really exported", async () => {
  const dir = mkdtempSync(join(tmpdir(), "seam-contract-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  // A name in the notes that looks like one of the API has to be one as well.
  const noted = ROWS.flatMap(({ note }) => [...note.matchAll(/`([a-z]+[A-Z][A-Za-z]*)`/g)]);
  const names = new Set([
    ...ROWS.map(({ ours }) => ours.slice(1, -1)),
    ...noted.map(([, name = ""]) => name),
  ]);
  const roots = new Set([...names].map((name) => name.split(".")[0]));
  const members = [...names]
    .map((name) => name.split("."))
    .filter(({ length }) => length > 1)
    .map(([root = "", ...path]) => path.reduce((of, key) => `NonNullable<${of}["${key}"]>`, root));
  const text = `import type { ${[...roots].join(", ")} } from "agentseam/agents";
export type Members = [${members.join(",\n")}];
`;
  mkdirSync(join(dir, "node_modules"));
  // As if the package were installed: what is built is what is looked at.
  symlinkSync(ROOT, join(dir, "node_modules", "agentseam"));
  writeFileSync(join(dir, "package.json"), '{ "type": "module" }');
  writeFileSync(join(dir, "names.ts"), text);
  const config = {
    compilerOptions: {
      module: "nodenext",
      target: "es2022",
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      typeRoots: [join(ROOT, "node_modules/@types")],
      types: ["node"],
    },
    include: ["names.ts"],
  };
  writeFileSync(join(dir, "tsconfig.json"), JSON.stringify(config));
  const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
  const output = await new Promise<string>((done) => {
    execFile(process.execPath, [tsc, "-p", dir, "--singleThreaded"], (_, stdout, stderr) =>
      done(stdout + stderr),
    );
  });
  expect(output).toBe("");
  expect(names.size).toBeGreaterThan(80);
}, 60_000);
