/** Each of Pi's flags, given to the real Pi and to `seam pi`, and what the model was asked with. */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sampled } from "../setup/sample.ts";
import { type Folder, folder, model, PROGRAMS, run } from "./both-programs.ts";
import { requirePeers } from "./pi.ts";

requirePeers();

let serving: Awaited<ReturnType<typeof model>>;
const places: Folder[] = [];
beforeAll(async () => {
  serving = await model();
});
afterAll(() => {
  serving.close();
  for (const one of places) one.remove();
});

const GREET = `export default (pi) => {
  pi.registerTool({ name: "greet", label: "Greet", description: "Greets.", parameters: { type: "object", properties: {} },
    execute: async () => ({ content: [{ type: "text", text: "hi" }], details: {} }) });
  pi.registerFlag("loud", { type: "boolean", description: "Louder" });
  pi.on("session_start", () => { if (pi.getFlag("loud")) console.error("very loud"); });
};`;

function prepared(): Folder {
  const where = folder(serving.url);
  places.push(where);
  const put = (path: string, text: string) => {
    mkdirSync(join(where.cwd, path, ".."), { recursive: true });
    writeFileSync(join(where.cwd, path), text);
  };
  put("greet.ts", GREET);
  put("note.txt", "What the note says.");
  put("skills/dig/SKILL.md", "---\nname: dig\ndescription: Digs holes.\n---\nDig.\n");
  put("AGENTS.md", "Context of the project.");
  put("system.md", "Prompt of a file.");
  put("templates/fix.md", "Fix what is broken: $1");
  return where;
}

interface Case {
  readonly args: readonly string[];
  readonly input?: string;
  /** Whether these are in what the model was asked with. */
  readonly sees?: readonly string[];
  /** Whether these tools were offered. */
  readonly tools?: readonly string[];
}

/** Seam offers grep, find and ls from the start, Pi only where they are asked for. */
const ALL_TOOLS = ["read", "bash", "edit", "write", "greet"];
const PRINT = ["-p", "--model", "probe/m"];
const CASES: Readonly<Record<string, Case>> = {
  "a prompt": { args: [...PRINT, "Say it."], sees: ["Say it."] },
  "two prompts": { args: [...PRINT, "Say it.", "Again."], sees: ["Say it.", "Again."] },
  "@file": { args: [...PRINT, "@note.txt", "Read it."], sees: ["What the note says.", "Read it."] },
  "piped input": {
    args: [...PRINT, "Sum up."],
    input: "Piped text.",
    sees: ["Piped text.", "Sum up."],
  },
  "--mode json": { args: [...PRINT, "--mode", "json", "Say it."], sees: ["Say it."] },
  "--mode text": { args: [...PRINT, "--mode", "text", "Say it."] },
  "--no-session": { args: [...PRINT, "--no-session", "Say it."] },
  "--session-dir": { args: [...PRINT, "--session-dir", "kept", "Say it."] },
  "-e": { args: [...PRINT, "-e", "greet.ts", "Say it."], tools: ALL_TOOLS },
  "-e with --no-extensions": {
    args: [...PRINT, "-ne", "-e", "greet.ts", "Say it."],
    tools: ALL_TOOLS,
  },
  // Pi takes what stands behind such a flag for its value, also for one that has none.
  "a flag of an extension": { args: [...PRINT, "Say it.", "-e", "greet.ts", "--loud"] },
  "--tools": { args: [...PRINT, "--tools", "read,grep", "Say it."], tools: ALL_TOOLS },
  "--tools with one of an extension": {
    args: [...PRINT, "-e", "greet.ts", "--tools", "read,greet", "Say it."],
    tools: ALL_TOOLS,
  },
  "--no-tools": { args: [...PRINT, "--no-tools", "Say it."], tools: ALL_TOOLS },
  "--no-builtin-tools": { args: [...PRINT, "-nbt", "-e", "greet.ts", "Say it."], tools: ALL_TOOLS },
  "--system-prompt": {
    args: [...PRINT, "--system-prompt", "Be a pirate.", "Say it."],
    sees: ["Be a pirate."],
  },
  "--system-prompt of a file": {
    args: [...PRINT, "--system-prompt", "system.md", "Say it."],
    sees: ["Prompt of a file."],
  },
  "--append-system-prompt": {
    args: [...PRINT, "--append-system-prompt", "And be kind.", "Say it."],
    sees: ["And be kind."],
  },
  "--no-context-files": {
    args: [...PRINT, "--no-context-files", "Say it."],
    sees: ["Context of the project."],
  },
  "context files": { args: [...PRINT, "Say it."], sees: ["Context of the project."] },
  "--skill": { args: [...PRINT, "--skill", "skills", "Say it."], sees: ["Digs holes."] },
  "--no-skills with --skill": {
    args: [...PRINT, "-ns", "--skill", "skills", "Say it."],
    sees: ["Digs holes."],
  },
  "--prompt-template": {
    args: [...PRINT, "--prompt-template", "templates", "/fix it"],
    sees: ["Fix what is broken: it"],
  },
  "--no-prompt-templates": { args: [...PRINT, "-np", "/fix it"], sees: ["Fix what is broken"] },
  "--provider and --model": { args: ["-p", "--provider", "probe", "--model", "n", "Say it."] },
  "--model with a level": { args: ["-p", "--model", "probe/m:high", "Say it."] },
  "--thinking": { args: [...PRINT, "--thinking", "low", "Say it."] },
  "--api-key": { args: [...PRINT, "--api-key", "other", "Say it."] },
  "--models": { args: [...PRINT, "--models", "probe/*", "Say it."] },
  "--no-themes": { args: [...PRINT, "--no-themes", "Say it."] },
  "--offline": { args: [...PRINT, "--offline", "Say it."] },
  "--verbose": { args: [...PRINT, "--verbose", "Say it."] },
  "--version": { args: ["--version"] },
  "--help": { args: ["--help"] },
  "an unknown model": { args: ["-p", "--model", "nobody/nothing", "Say it."] },
};

const asText = (asked: unknown) => JSON.stringify(asked);

const TRIED = sampled(
  Object.entries(CASES),
  ...[
    "a prompt",
    "two prompts",
    "piped input",
    "@file",
    "--mode json",
    "--tools with one of an extension",
  ],
  ...[
    "-e",
    "--skill",
    "--model with a level",
    "--system-prompt",
    "--session-dir",
    "an unknown model",
  ],
);

test.each(TRIED)("%s", async (_, { args, input, sees = [], tools = [] }) => {
  const seen = [];
  for (const program of PROGRAMS) {
    const where = prepared();
    const from = serving.asked.length;
    const { code, stdout, stderr } = await run(program, args, where, input);
    const asked = serving.asked.slice(from).map(({ body }) => body);
    const offered = asked.flatMap((body) =>
      (body.tools ?? []).map((tool): unknown =>
        Reflect.get(Object(Reflect.get(Object(tool), "function")), "name"),
      ),
    );
    seen.push({
      ended: code === 0,
      requests: asked.length,
      model: asked.map((body): unknown => Reflect.get(body, "model")),
      sees: sees.map((text) => asText(asked).includes(asText(text).slice(1, -1))),
      tools: tools.filter((name) => offered.includes(name)),
      answered: /Answer \d+/.test(stdout),
      loud: stderr.includes("very loud"),
      json: stdout.startsWith("{"),
      kept: existsSync(join(where.cwd, "kept")) && readdirSync(join(where.cwd, "kept")).length,
    });
  }
  const [pi, seam] = seen;
  expect(seam).toEqual(pi);
});
