import { readdirSync, realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join, normalize, resolve } from "node:path";
import {
  type ExtensionAPI,
  pathFits,
  readShell,
  type ShellWrite,
  shellCommandIn,
  SHELL_UNKNOWN as UNKNOWN,
} from "agentseam";

/** Files that hold secrets, wherever they are. */
const SECRETS = ["**/.env", "**/.env.*", "**/*.pem", "**/*.key"];
/** Folders of git, of Seam and of the agents, and installed packages. */
const FOLDERS = [".git", ".seam", ".claude", ".codex", ".gemini", ".cursor", ".copilot"]
  .concat([".opencode", ".factory", ".pi"])
  .flatMap((folder) => [`**/${folder}`, `**/${folder}/**`])
  // Installed packages may be removed as a whole, to install them again.
  .concat("**/node_modules/**", "**/.github/hooks/**");
/** What agents keep for themselves in those folders, and what is no secret. */
const FREE = ["**/.claude/plans/**", "**/.claude/projects/**", "**/.pi/agent/sessions/**"].concat(
  "**/.env.example",
  "**/.env.sample",
  "**/.env.template",
  "**/node_modules/.cache",
  "**/node_modules/.cache/**",
);

const fitsAny = (path: string, patterns: readonly string[], ...how: string[]) =>
  patterns.some((pattern) => how.includes(pathFits(path, pattern)));
const isProtected = (path: string) =>
  fitsAny(path, [...SECRETS, ...FOLDERS], "yes") && !fitsAny(path, FREE, "yes");

/** The path as it is written, and where it leads if there are links on the way. */
function placesOf(path: string, cwd: string): string[] {
  const full = resolve(cwd, path.replaceAll("\\", "/"));
  for (let known = full, rest = ""; ; rest = join(basename(known), rest), known = dirname(known)) {
    try {
      return [full, join(realpathSync(known), rest)];
    } catch {
      if (dirname(known) === known) return [full];
    }
  }
}

/** Most files that are looked at to find out what a pattern or an unknown name can mean. */
const MOST_FILES = 2_000;

/** What is protected in a folder. Undefined: there is too much in it to say. */
function protectedIn(folder: string): string[] | undefined {
  const found: string[] = [];
  const folders = [folder];
  let left = MOST_FILES;
  for (const each of folders) {
    for (const entry of entriesOf(each)) {
      if (--left < 0) return undefined;
      const path = join(each, entry.name);
      if (isProtected(path)) found.push(path);
      else if (entry.isDirectory() && entry.name !== "node_modules") folders.push(path);
    }
  }
  return found;
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** What a pattern matches now. As in a shell, `*` leaves out names with a dot in front. */
function matching(path: string, cwd: string): string[] {
  let found = [path.startsWith("/") ? "/" : cwd];
  for (const name of path.split("/").filter((part) => part !== "" && part !== ".")) {
    const isPattern = /[*?[]/.test(name);
    const hidden = name.startsWith(".");
    found = found
      .flatMap((folder) =>
        isPattern
          ? entriesOf(folder)
              .map((entry) => entry.name)
              .filter((each) => each.startsWith(".") === hidden && pathFits(name, each) !== "no")
              .map((each) => join(folder, each))
          : [join(folder, name)],
      )
      .slice(0, MOST_FILES);
  }
  return found;
}

type Verdict = { block: string } | { ask: string } | undefined;

/** What a shell command's write means. */
function judgeWrite({ path, pattern, whole, by, inFolder }: ShellWrite, cwd: string): Verdict {
  if (inFolder && !isFolder(resolve(cwd, dirname(path)))) return undefined;
  const paths = pattern && !path.includes(UNKNOWN) ? [path, ...matching(path, cwd)] : [path];
  const places = paths.flatMap((each) => placesOf(each, cwd));
  const hit = places.find(isProtected);
  if (hit !== undefined) return { block: shown(paths.length > 1 ? hit : path) };
  // Git leaves alone what it does not know, and its own folder.
  if (whole && by !== "git") {
    const inside = places
      .filter((each) => basename(each) !== "node_modules")
      .flatMap((each) => entriesOf(each).map(({ name }) => join(each, name)));
    const holds = places.some((each) => `${cwd}/`.startsWith(each === "/" ? each : `${each}/`));
    const lost = holds ? path : inside.find(isProtected);
    if (lost !== undefined) return { block: shown(lost) };
  }
  return path.includes(UNKNOWN) ? judgeUnknown(path, cwd) : undefined;
}

/** A path of which a part is not known: what could it be, in the folder that is? */
function judgeUnknown(path: string, cwd: string): Verdict {
  const name = path.slice(path.lastIndexOf("/") + 1).replaceAll(UNKNOWN, "*");
  if (!fitsAny(name, ["**/.env", "**/*.pem", "**/*.key"], "yes", "maybe")) return undefined;
  if (/^\/(tmp|var\/tmp|dev)\//.test(path)) return undefined;
  const known = path.slice(0, path.indexOf(UNKNOWN));
  const folder = known.includes("/") ? known.slice(0, known.lastIndexOf("/")) : undefined;
  const found = folder ? protectedIn(resolve(cwd, folder)) : undefined;
  const can = found?.filter((each) => pathFits(basename(each), name) === "yes");
  return can?.length === 0
    ? undefined
    : { ask: `It writes to ${shown(path)}, which is not known before. Name the file.` };
}

const shown = (path: string) => path.replaceAll(UNKNOWN, "…");

/** Names in quotes in a program, or anywhere in a text that cannot be read. */
function namesIn(text: string): string[] {
  return text.split(/["'`\s<>|;&()=,]+/).filter((each) => each !== "" && each.length < 1_000);
}

function judgeCommand(command: string, cwd: string): Verdict {
  const { writes, code, commands, problems } = readShell(command, { home: homedir() });
  const verdicts = writes.map((write) => judgeWrite(write, cwd));
  const block = verdicts.find((each) => each && "block" in each);
  if (block) return block;
  const texts = code.flatMap(({ text }) =>
    [...text.matchAll(/(["'`])(.*?)\1/g)].map((each) => each[2] ?? ""),
  );
  const named = [...texts, ...(problems.length > 0 ? namesIn(command) : [])].find(isProtected);
  if (named !== undefined)
    return { ask: `It names ${named}, and nobody can say what it does with it.` };
  if (commands.some(({ name }) => name === undefined)) {
    return { ask: "It runs something that cannot be known before." };
  }
  return verdicts.find((each) => each !== undefined);
}

const READS = /(^|[^a-z])(read|get|list|ls|search|find|grep|glob|view|fetch|stat|show|query|open)/i;
const WRITES =
  /write|edit|create|delete|remove|move|rename|update|append|put|save|patch|replace|insert|copy/i;

/** Everything in a tool's input that names a file. */
function filesIn(value: unknown, key = "", depth = 0): string[] {
  if (typeof value === "string") {
    return /path|file|dir|folder|target|dest|uri|source/i.test(key) &&
      normalize(value).length < 4_096
      ? [value.replace(/^file:\/\//, "")]
      : [];
  }
  if (typeof value !== "object" || value === null || depth > 4) return [];
  return Object.entries(value).flatMap(([name, each]) =>
    filesIn(each, Array.isArray(value) ? key : name, depth + 1),
  );
}

/**
 * Blocks writes to secrets, to the folders of git, of Seam and of the agents, and to installed
 * packages: by the agent's own tools, by tools of MCP servers and by shell commands. The model is
 * told to leave them as they are; a person, if there is one, sees a notice. Where it cannot be known
 * what a command will write to, the user is asked.
 *
 * Shows: the gate `tool_call`, `readShell`, `pathFits`, `ctx.ui.notify`.
 *
 * @example
 * seam run -e extensions/protected-paths.ts -p "Change the port"
 */
export default function protectedPaths(pi: ExtensionAPI) {
  pi.on("tool_call", ({ toolName, input }, { cwd, hasUI, ui }) => {
    const command = shellCommandIn(input);
    const isShell = toolName === "bash" || (command !== undefined && !("path" in input));
    const onlyReads = READS.test(toolName) && !WRITES.test(toolName);
    const files = isShell || onlyReads ? [] : filesIn(input);
    const file = files.find((each) => placesOf(each, cwd).some(isProtected));
    const verdict = file === undefined ? undefined : { block: file };
    const judged =
      verdict ??
      (command === undefined || (onlyReads && !isShell) ? undefined : judgeCommand(command, cwd));
    if (!judged) return;
    if ("ask" in judged) return { ask: true, reason: judged.ask };
    if (hasUI) ui.notify(`Blocked a write to ${judged.block}`, "warning");
    return { block: true, reason: `${judged.block} is protected. Leave it as it is.` };
  });
}
