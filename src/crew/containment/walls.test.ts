import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { hasTime } from "../../../test/setup/sample.ts";
import { replaceFile } from "../../files/index.ts";
import { bubblewrap } from "./bubblewrap.ts";
import { walls } from "./walls.ts";

const hasWalls = (await bubblewrap(["--dev-bind", "/", "/"])) !== undefined;

const DECIDING = [
  "bin/hook",
  "spare/hook",
  "trust.json",
  "settings.json",
  "rules.json",
  "AGENTS.md",
];

/** A worktree behind walls, and Seam's home with these files. */
async function behindWalls(names: readonly string[]) {
  const root = mkdtempSync(join(tmpdir(), "walls-"));
  const main = join(root, "main");
  const workspace = join(root, "slots/1");
  const home = join(root, "seam");
  const userHome = join(root, "home");
  const git = (...args: string[]) => execFileSync("git", ["-C", main, ...args]);
  execFileSync("git", ["init", "--quiet", main]);
  const who = ["-c", "user.name=A", "-c", "user.email=a@localhost"];
  git(...who, "commit", "--quiet", "--allow-empty", "--message", "Start");
  git("worktree", "add", "--quiet", "-b", "seam/tasks/run/a", workspace);
  for (const folder of [home, userHome]) mkdirSync(folder);
  for (const file of names.map((name) => join(home, name))) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, "the user's\n");
  }
  const [program = "", ...words] = await walls({ workspace, home, userHome, folders: [] });
  return { workspace, home, program, words };
}

const WRITE = 'for file; do mkdir -p "$(dirname "$file")"; echo theirs > "$file"; done';

it.skipIf(!hasWalls)(
  "nothing of Seam's home that decides what agents may do can be written behind the walls",
  async () => {
    const { workspace, home, program, words } = await behindWalls(DECIDING);
    const files = DECIDING.map((name) => join(home, name));
    const script = `echo done > made; ${WRITE}`;
    spawnSync(program, [...words, "/bin/sh", "-c", script, "sh", ...files], { cwd: workspace });
    expect(readFileSync(join(workspace, "made"), "utf8")).toBe("done\n");
    expect(files.filter((file) => readFileSync(file, "utf8") !== "the user's\n")).toEqual([]);
  },
);

it.skipIf(!hasWalls)("nor made there, and hooks can leave what they have to say", async () => {
  const { workspace, home, program, words } = await behindWalls([]);
  const names = [...DECIDING, "extensions/gate.ts", "cache/extensions/gate.js"];
  const files = [...names, "run/spool/hook"].map((name) => join(home, name));
  spawnSync(program, [...words, "/bin/sh", "-c", WRITE, "sh", ...files], { cwd: workspace });
  expect(files.filter(existsSync)).toEqual([join(home, "run/spool/hook")]);
});

it.skipIf(!hasWalls)("nor once the user has changed it meanwhile", async () => {
  const { workspace, home, program, words } = await behindWalls(DECIDING);
  const files = DECIDING.map((name) => join(home, name));
  const script = `echo ready; read -r _; ${WRITE}; true`;
  const inside = spawn(program, [...words, "/bin/sh", "-c", script, "sh", ...files], {
    cwd: workspace,
    stdio: ["pipe", "pipe", "ignore"],
  });
  await once(inside.stdout, "data");
  for (const file of files) replaceFile(file, "the user's, changed\n");
  inside.stdin.end("go\n");
  await once(inside, "exit");
  expect(files.filter((file) => readFileSync(file, "utf8") !== "the user's, changed\n")).toEqual(
    [],
  );
});

it.runIf(hasWalls && hasTime)(
  "an agent of Seam's own renews its login behind the walls",
  async () => {
    const { workspace, home, program, words } = await behindWalls(["auth.json"]);
    const login = (access: string) => ({ type: "oauth", access, refresh: "r", expires: 0 });
    writeFileSync(join(home, "auth.json"), JSON.stringify({ one: login("a token that is over") }));
    const source = fileURLToPath(new URL("../../host/models/auth-store.ts", import.meta.url));
    const script = `
    const { createJiti } = require(${JSON.stringify(createRequire(import.meta.url).resolve("jiti"))});
    const jiti = createJiti(${JSON.stringify(source)}, { fsCache: false });
    jiti.import(${JSON.stringify(source)}).then(({ AuthStore }) =>
      new AuthStore(process.argv[1]).change("one", async (old) => ({ ...old, access: "new" })));
  `;
    const args = [...words, process.execPath, "-e", script, join(home, "auth.json")];
    const env = { ...process.env, SEAM_HOME: home };
    const { stderr } = spawnSync(program, args, { cwd: workspace, env, encoding: "utf8" });
    expect(stderr).toBe("");
    const stored = JSON.parse(readFileSync(join(home, "auth.json"), "utf8"));
    expect(stored).toEqual({ one: login("new") });
  },
);
