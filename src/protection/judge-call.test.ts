import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { agentNamed, enable } from "../agents/index.ts";
import { judgeCall } from "./judge-call.ts";
import { ProtectedPlaces } from "./protected-places.ts";

/** A home, a project with a repository, and Seam's hooks in the settings of Claude Code. */
function setUp() {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "seam-protection-")));
  const home = join(base, "home");
  const project = join(base, "project");
  const store = join(home, ".seam");
  for (const folder of [store, project, join(project, ".seam"), join(project, "src")]) {
    mkdirSync(folder, { recursive: true });
  }
  mkdirSync(join(project, ".git"));
  const before = { HOME: process.env.HOME, SEAM_HOME: process.env.SEAM_HOME };
  process.env.HOME = home;
  process.env.SEAM_HOME = store;
  onTestFinished(() => {
    for (const [name, value] of Object.entries(before)) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
    rmSync(base, { recursive: true, force: true });
  });
  const place = { project, home, env: {} };
  const claude = agentNamed("claude-code");
  if (claude && claude.name !== "seam") {
    enable([{ agent: { ...claude, name: claude.name }, level: "project" }], { place, store });
  }
  const places = new ProtectedPlaces({ store, home, env: {} });
  const judge = (name: string, input: Record<string, unknown>, cwd = project) =>
    judgeCall(places, { name, input }, cwd);
  return { home, project, store, places, judge };
}

describe("a file tool", () => {
  it.each([
    ["Seam's folder", "~/.seam/settings.json"],
    ["the hook client", "~/.seam/bin/hook"],
    ["a project's settings", ".seam/settings.local.json"],
    ["a trusted extension", ".seam/extensions/gate.ts"],
    ["Seam's part of git", ".git/seam/enabled"],
    ["Seam's references", ".git/refs/seam/checkpoints/v1"],
    ["git's hooks", ".git/hooks/post-commit"],
    ["git's settings", ".git/config"],
    ["hook entries", ".claude/settings.local.json"],
    ["settings that switch hooks off", ".claude/settings.json"],
    ["hook entries of all projects", "~/.claude/settings.json"],
    ["another project's settings", "../other/.seam/settings.json"],
    ["a way round", "src/../.seam/settings.json"],
    ["another case", ".SEAM/settings.json"],
    ["a name with a character that does not count", ".se\u200bam/settings.json"],
    ["a mention", "@.seam/settings.json"],
    ["an address", "file:///x/.seam/settings.json"],
  ])("must not write to %s", (_, path) => {
    const { judge } = setUp();
    expect(judge("write", { path, content: "x" })).toContain("would change");
    expect(judge("edit", { path, edits: [] })).toContain("would change");
    expect(judge("read", { path })).toBeUndefined();
  });

  it.each(["src/a.ts", "README.md", ".github/hooks.json", "seam/x.ts", ".gitignore", ".git-blame"])(
    "may write to %s",
    (path) => {
      const { judge } = setUp();
      expect(judge("write", { path, content: "~/.seam/settings.json" })).toBeUndefined();
    },
  );

  it("must not write through links, also where the system and the text disagree about ..", () => {
    const { judge, project, store } = setUp();
    mkdirSync(join(store, "bin"));
    symlinkSync(store, join(project, "inner"));
    symlinkSync(join(store, "bin"), join(project, "deep"));
    writeFileSync(join(store, "settings.json"), "{}");
    symlinkSync(join(store, "settings.json"), join(project, "notes.md"));
    symlinkSync(join(store, "trust.json"), join(project, "not-yet.md"));
    for (const path of ["inner/settings.json", "deep/../x", "notes.md", "not-yet.md"]) {
      expect(judge("write", { path, content: "x" }), path).toContain("would change");
    }
  });

  it("may change the settings of an agent that does not call Seam", () => {
    const { judge } = setUp();
    expect(judge("write", { path: ".gemini/settings.json", content: "{}" })).toBeUndefined();
    expect(judge("write", { path: ".codex/config.toml", content: "" })).toBeUndefined();
  });

  it.each([
    ["mcp__files__write_file", { path: ".seam/settings.json", content: "x" }],
    ["mcp__files__move_file", { source: "a.txt", destination: ".git/hooks/pre-commit" }],
    ["mcp__edit__apply", { edits: [{ file: ".claude/settings.local.json", text: "x" }] }],
    ["mcp__shell__run", { command: "rm -rf .seam" }],
  ])("of an MCP server is looked at by the names of its fields: %s", (name, input) => {
    const { judge } = setUp();
    expect(judge(name, input)).toBeDefined();
  });

  it("of an MCP server that only reads may read", () => {
    const { judge } = setUp();
    expect(judge("mcp__files__read_file", { path: ".seam/settings.json" })).toBeUndefined();
  });
});

describe("each agent's own tools", () => {
  const PATCH = `*** Begin Patch
*** Add File: src/a.ts
+x
*** Update File: .claude/settings.local.json
@@
-a
+b
*** End Patch`;
  it.each([
    ["claude-code", "PreToolUse", "Write", { file_path: ".seam/x", content: "" }],
    [
      "claude-code",
      "PreToolUse",
      "Edit",
      { file_path: ".seam/x", old_string: "a", new_string: "" },
    ],
    ["claude-code", "PreToolUse", "MultiEdit", { file_path: ".seam/x", edits: [] }],
    ["claude-code", "PreToolUse", "NotebookEdit", { notebook_path: ".seam/x", new_source: "" }],
    ["codex", "PreToolUse", "apply_patch", { command: PATCH }],
    ["factoryai-droid", "PreToolUse", "Create", { file_path: ".seam/x", content: "" }],
    ["factoryai-droid", "PreToolUse", "Edit", { file_path: ".seam/x", old_str: "", new_str: "" }],
    ["factoryai-droid", "PreToolUse", "ApplyPatch", { input: PATCH }],
    ["gemini", "BeforeTool", "write_file", { file_path: ".seam/x", content: "" }],
    ["gemini", "BeforeTool", "replace", { file_path: ".seam/x", old_string: "", new_string: "" }],
    ["cursor", "preToolUse", "Write", { file_path: ".seam/x", content: "" }],
  ] as const)("%s %s %s", (name, hook, tool_name, tool_input) => {
    const { places, project } = setUp();
    const payload = { session_id: "s", conversation_id: "s", cwd: project, tool_name, tool_input };
    const tools = agentNamed(name)?.hooks?.read(hook, payload)?.tools ?? [];
    expect(tools.length).toBeGreaterThan(0);
    expect(tools.map((tool) => judgeCall(places, tool, project)).filter(Boolean)).toHaveLength(1);
  });
});

describe("a shell command", () => {
  it.each([
    "rm -rf ~/.seam",
    'rm -rf "$HOME/.seam/bin"',
    "echo '{}' > .seam/settings.local.json",
    "echo x >> .seam/extensions/gate.ts",
    "cat x | tee .claude/settings.local.json",
    "sed -i s/seam// .claude/settings.local.json",
    "cp /dev/null ~/.seam/bin/hook",
    "mv .seam .seam-off",
    "ln -sf /bin/true ~/.seam/bin/hook",
    "chmod -x .git/hooks/post-commit",
    "cd .git/hooks && rm post-commit",
    "cd .seam; echo x > settings.json",
    "rm -rf .git",
    "rm -rf .se*",
    "rm -rf {a,.seam}/extensions",
    "sudo rm ~/.seam/settings.json",
    "bash -c 'rm -rf ~/.seam'",
    "echo $(rm -rf ~/.seam)",
    "python3 -c \"open('.seam/settings.json','w')\"",
    "node -e 'fs.rmSync(\".claude/settings.local.json\")'",
    "find .seam -delete",
    "git config core.hooksPath /dev/null",
    "git -c core.hooksPath=/dev/null commit -m x",
    "git update-ref -d refs/seam/checkpoints/v1",
    "git config --unset-all core.hooksPath",
    "git config --remove-section includeIf.gitdir:/repo/.git",
    "seam disable --yes",
    "seam doctor --fix",
    "npx agentseam doctor --json --fix",
    "npx seam trust --yes",
    "seam daemon stop",
    "/usr/local/bin/seam disable",
    "node dist/bin/seam.js disable --all",
    "npm uninstall -g agentseam",
    "kill $(cat ~/.seam/run/pid)",
    "if true; then rm -rf ~/.seam; fi",
    "truncate -s 0 ~/.seam/bin/hook",
    "dd if=/dev/zero of=.seam/settings.json",
    "apply_patch <<'EOF'\n*** Begin Patch\n*** Delete File: .seam/settings.json\n*** End Patch\nEOF",
  ])("must not: %s", (command) => {
    const { judge } = setUp();
    expect(judge("bash", { command })).toBeDefined();
  });

  it.each([
    "cat ~/.seam/settings.json",
    "ls -la .seam .git/hooks",
    "grep -r seam .claude/settings.local.json",
    "git commit -m 'change .seam/settings.json'",
    "git add -A && git commit -m x && git push",
    "git config user.name x",
    "git config --get core.hooksPath",
    "git status; git diff .seam",
    "echo .seam/settings.json",
    "diff .seam/settings.json x > out.txt",
    "cp .seam/settings.json /tmp/copy.json",
    "find .seam -name '*.ts'",
    "rm -rf node_modules dist",
    "rm -rf *.log",
    "npm test 2>&1 | tail -5",
    "sed -n 1,5p .seam/settings.json",
    "seam status && seam doctor && seam log",
    "seam trust --json",
    "python3 -c \"print(open('README.md').read())\"",
    "echo done > /dev/null 2>&1",
    "mkdir -p src/new && touch src/new/a.ts",
  ])("may: %s", (command) => {
    const { judge } = setUp();
    expect(judge("bash", { command })).toBeUndefined();
  });
});
