import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  call,
  calls,
  get,
  type Module,
  only,
  own,
  PNG,
  type Probe,
  type Probes,
  tell,
  type Use,
} from "./kit.ts";
import { AGENT_CORE } from "./pi-agent-core.ts";

const at = 1_700_000_000_000;
const iso = new Date(at).toISOString();
const user = (text: string) => ({ role: "user", content: text, timestamp: at });
const text = (said: string) => ({ type: "text", text: said });
const entry = (id: string, parentId: string | null, message: object) => ({
  type: "message",
  id,
  parentId,
  timestamp: iso,
  message,
});
const branch = [
  entry("1", null, user("One.")),
  entry("2", "1", user("Two.")),
  entry("3", "1", user("Three.")),
];

/** A folder with a few files, for tools and for what is read from a project. */
function project(): string {
  const cwd = mkdtempSync(join(tmpdir(), "seam-probe-"));
  mkdirSync(join(cwd, "src"));
  mkdirSync(join(cwd, "skills/dig"), { recursive: true });
  writeFileSync(join(cwd, "src/a.txt"), "one\ntwo\nthree\n");
  writeFileSync(join(cwd, "b.txt"), "four\n");
  writeFileSync(join(cwd, "AGENTS.md"), "Be brief.\n");
  writeFileSync(join(cwd, "pixel.png"), Buffer.from(PNG, "base64"));
  writeFileSync(
    join(cwd, "skills/dig/SKILL.md"),
    "---\nname: dig\ndescription: Digs.\n---\nDig deep.\n",
  );
  return cwd;
}

/** What a tool gives, without what it says about it in words of its own. */
const textOf = (result: unknown) =>
  (get(result, "content") as object[])
    .map((block) => String(get(block, "text")))
    .join("\n")
    .replace(/\n\n\[[^\]]*\]$/, "")
    .replace(/^(Changed|Wrote|Successfully) .*$/, "done")
    .trimEnd();
const run = async (tool: unknown, input: object) => {
  try {
    return textOf(await tell(tool, "execute", "c1", input, undefined, undefined, {}));
  } catch (thrown) {
    return ["failed", thrown instanceof Error ? thrown.message : String(thrown)];
  }
};

/** A tool that is made for a folder: its name, the names of what it takes, and what it gives. */
const tool =
  (...inputs: readonly object[]): Use =>
  async (value) => {
    const cwd = project();
    const made = call(value, cwd);
    const results: unknown[] = [];
    for (const input of inputs) results.push(await run(made, input));
    const known = Object.keys(Object(get(get(made, "parameters"), "properties"))).sort();
    return [get(made, "name"), known, results, readFileSync(join(cwd, "b.txt"), "utf8")];
  };
const READ = tool({ path: "src/a.txt" }, { path: "src/a.txt", offset: 2, limit: 1 });
const WRITE = tool({ path: "b.txt", content: "five\n" });
const EDIT = tool({ path: "b.txt", edits: [{ oldText: "four", newText: "five" }] });
const BASH = only("0.74.2", "1.5.0 needs its own session for it", tool({ command: "echo hi" }));
const LS = tool({ path: "src" });
const FIND = own(
  "Pi's needs a program that it downloads",
  ["find", ["limit", "path", "pattern"], ["b.txt\nsrc/a.txt"], "four\n"],
  tool({ pattern: "**/*.txt" }),
);
const GREP = tool({ pattern: "two" });
const names = (list: unknown) => (list as object[]).map((one) => get(one, "name"));

const core = (name: string): Probe => {
  const probe = AGENT_CORE[name];
  if (!probe) throw new Error(`There is no probe of ${name}.`);
  return probe;
};

const operations: Use = async (value) => {
  const output: string[] = [];
  const { exitCode } = Object(
    await tell(call(value), "exec", "echo hi; exit 3", tmpdir(), {
      onData: (part: Buffer) => void output.push(part.toString()),
    }),
  );
  return [output.join(""), exitCode];
};

const registered = {
  definition: {
    name: "t",
    label: "T",
    description: "D",
    parameters: { type: "object" },
    execute: async () => ({ content: [text("done")] }),
  },
  sourceInfo: { path: "<probe>", source: "local" },
};
const runner = {
  createContext: () => ({}),
  createToolContext: () => ({}),
  getSignal: () => undefined,
};

const paths = (module: Module, name: string) => String(call(module[name]));

export const CODING_AGENT: Probes = {
  getAgentDir: own(
    "it is Seam's folder",
    true,
    (value) => String(call(value)) === process.env.SEAM_HOME,
  ),
  getPackageDir: own("it is Seam's package", true, (value) => String(call(value)).startsWith("/")),
  getDocsPath: own("it is Seam's package", true, (_, module) =>
    paths(module, "getDocsPath").endsWith("docs"),
  ),
  getExamplesPath: own("it is Seam's package", true, (_, module) =>
    paths(module, "getExamplesPath").startsWith("/"),
  ),
  getReadmePath: own("it is Seam's package", true, (_, module) =>
    paths(module, "getReadmePath").endsWith("README.md"),
  ),
  collectEntriesForBranchSummary: core("collectEntriesForBranchSummary"),
  findCutPoint: core("findCutPoint"),
  prepareBranchEntries: core("prepareBranchEntries"),
  generateBranchSummary: core("generateBranchSummary"),
  generateSummary: core("generateSummary"),
  createBashTool: BASH,
  createBashToolDefinition: BASH,
  createReadTool: READ,
  createReadToolDefinition: READ,
  createWriteTool: WRITE,
  createWriteToolDefinition: WRITE,
  createEditTool: EDIT,
  createEditToolDefinition: EDIT,
  createLsTool: LS,
  createLsToolDefinition: LS,
  createFindTool: FIND,
  createFindToolDefinition: FIND,
  createGrepTool: GREP,
  createGrepToolDefinition: GREP,
  createCodingTools: (value) => names(call(value, project())),
  createReadOnlyTools: (value) => names(call(value, project())),
  createPowerShellTool: own("there is no PowerShell here", "powershell", (value) =>
    get(call(value, "/"), "name"),
  ),
  createPowerShellToolDefinition: own("there is no PowerShell here", "powershell", (value) =>
    get(call(value, "/"), "name"),
  ),
  createLocalBashOperations: operations,
  createLocalPowerShellOperations: (value) => typeof get(call(value), "exec"),
  isPowerShellToolResult: calls([{ toolName: "powershell" }], [{ toolName: "bash" }]),
  migrateSessionEntries: (value) => {
    const entries = [
      { type: "session", id: "s", timestamp: iso, cwd: "/" },
      { type: "message", timestamp: iso, message: user("One.") },
      { type: "message", timestamp: iso, message: user("Two.") },
    ];
    call(value, entries);
    const [header, one, two] = entries as object[];
    return [get(header, "version"), get(one, "parentId"), get(two, "parentId") === get(one, "id")];
  },
  buildContextEntries: (value) =>
    (call(value, branch, "2") as object[]).map((one) => get(one, "id")),
  buildSessionProjection: (value) => {
    const { entries, messages } = Object(call(value, branch, "3"));
    return [(entries as object[]).map((one) => get(get(one, "sourceEntry"), "id")), messages];
  },
  sessionEntryToContextMessages: calls(
    [branch[0]],
    [{ type: "label", id: "l", parentId: null, timestamp: iso, targetId: "1" }],
  ),
  formatSkillsForPrompt: (value) => {
    const skill = {
      name: "dig",
      description: "Digs.",
      filePath: "/s/SKILL.md",
      baseDir: "/s",
      disableModelInvocation: false,
    };
    return [/<available_skills>[\s\S]*/.exec(String(call(value, [skill])))?.[0], call(value, [])];
  },
  loadSkills: (value) => {
    const cwd = project();
    const { skills } = Object(
      call(value, {
        cwd,
        agentDir: cwd,
        skillPaths: [join(cwd, "skills")],
        includeDefaults: false,
      }),
    );
    return names(skills);
  },
  loadSkillsFromDir: (value) => {
    const { skills } = Object(call(value, { dir: join(project(), "skills"), source: "probe" }));
    return names(skills);
  },
  loadProjectContextFiles: (value) => {
    const cwd = project();
    const files = call(value, { cwd, agentDir: join(cwd, "src") }) as {
      path: string;
      content: string;
    }[];
    return files.map(({ path, content }) => [path.replace(cwd, ""), content.trim()]);
  },
  createSyntheticSourceInfo: calls(
    ["<a>", { source: "local" }],
    ["<b>", { source: "sdk", scope: "user" }],
  ),
  createExtensionRuntime: (value) => {
    const runtime = call(value);
    return [typeof get(runtime, "flagValues"), typeof get(runtime, "sendMessage")];
  },
  discoverAndLoadExtensions: async (value) => {
    const cwd = project();
    const file = join(cwd, "probe.ts");
    writeFileSync(
      file,
      "export default (pi) => { pi.registerCommand('go', { handler: async () => {} }); };",
    );
    const { extensions, errors } = Object(await call(value, [file], cwd, join(cwd, "none")));
    const found = (extensions as object[]).filter((one) => get(one, "path") === file);
    return [found.map((one) => [...(get(one, "commands") as Map<string, object>).keys()]), errors];
  },
  wrapRegisteredTool: async (value) => run(call(value, registered, runner), {}),
  wrapRegisteredTools: async (value) => run((call(value, [registered], runner) as object[])[0], {}),
  keyHint: own("keys are named in words of Seam's own", true, (value) =>
    String(call(value, "tui.select.confirm", "choose")).includes("choose"),
  ),
  keyText: (value) => String(call(value, "tui.select.confirm")).toLowerCase(),
  rawKeyHint: calls(["x", "leave"]),
  renderDiff: calls([" 1 same\n-2 old\n+2 new"]),
  truncateToVisualLines: calls(["a\nb\nc", 2, 10], ["a long line of words", 5, 6]),
  getMarkdownTheme: (value) =>
    Object.keys(Object(call(value)))
      .filter((key) => key !== "highlightCode" && key !== "codeBlockIndent")
      .sort(),
  getSelectListTheme: (value) => Object.keys(Object(call(value))).sort(),
  getSettingsListTheme: (value) => Object.keys(Object(call(value))).sort(),
  highlightCode: calls(["const a = 1;\nlet b;", "ts"], ["plain", undefined]),
  initTheme: (value, { getSelectListTheme }) => {
    call(value, "dark");
    return typeof get(call(getSelectListTheme), "selectedText");
  },
  Theme: own(
    "a theme is made from a file of Pi's, which has each colour",
    "x",
    (value, { getMarkdownTheme }) => {
      call(getMarkdownTheme);
      return typeof value === "function" ? "x" : "";
    },
  ),
  copyToClipboard: own("there is nothing to copy to here", true, async (value) => {
    try {
      await call(value, "probe");
      return true;
    } catch (thrown) {
      return thrown instanceof Error;
    }
  }),
  getShellConfig: (value) => Object.keys(Object(call(value))).sort(),
  getPowerShellConfig: own("there is no PowerShell here", true, (value) => {
    try {
      return typeof call(value) === "object";
    } catch (thrown) {
      return thrown instanceof Error;
    }
  }),
  parseArgs: (value) => {
    const { messages, fileArgs, model, print, mode, tools, noSession } = Object(
      call(value, [
        "-p",
        "--model",
        "p/m",
        "--mode",
        "json",
        "--tools",
        "read,bash",
        "--no-session",
        "@a.txt",
        "go",
      ]),
    );
    return { messages, fileArgs, model, print, mode, tools, noSession };
  },
  generateDiffString: calls(["a\nb\nc\n", "a\nB\nc\n"], ["a\n", "a\n"]),
  generateUnifiedPatch: calls(["a.txt", "a\nb\n", "a\nB\n"]),
  formatReadLineRange: calls([undefined, undefined], [3, undefined], [3, 5], [undefined, 5]),
  hasTrustRequiringProjectResources: own("it looks for Seam's folder", [false, true], (value) => {
    const cwd = project();
    const before = call(value, cwd);
    mkdirSync(join(cwd, ".seam/extensions"), { recursive: true });
    writeFileSync(join(cwd, ".seam/extensions/a.ts"), "export default () => {};");
    return [before, call(value, cwd)];
  }),
  convertToPng: calls([PNG, "image/png"]),
  formatDimensionNote: (value) => {
    const picture = { data: "", mimeType: "image/png", originalWidth: 100, originalHeight: 50 };
    const small = call(value, { ...picture, width: 10, height: 5, wasResized: true });
    const same = call(value, { ...picture, width: 100, height: 50, wasResized: false });
    // In words of each one's own: the numbers count.
    return [String(small).match(/\d+x\d+|\d+\.\d+/g), same];
  },
  resizeImage: only("1.5.0", "0.74.2 takes it in another form", async (value) => {
    const made = await call(value, new Uint8Array(Buffer.from(PNG, "base64")), "image/png");
    return [
      get(made, "wasResized"),
      get(made, "width"),
      get(made, "height"),
      get(made, "mimeType"),
    ];
  }),
  detectSupportedImageMimeTypeFromFile: async (value) => {
    const cwd = project();
    return [await call(value, join(cwd, "pixel.png")), await call(value, join(cwd, "b.txt"))];
  },
  readStoredCredential: (value) => {
    const file = join(project(), "auth.json");
    writeFileSync(file, JSON.stringify({ p: { type: "api_key", key: "k" } }), { mode: 0o600 });
    return [call(value, "p", file), call(value, "q", file)];
  },
};
