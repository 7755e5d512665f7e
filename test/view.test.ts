import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import type { EntriesPage, Problem, SessionHead, TurnTimeline } from "../src/view/api.ts";
import type {
  CheckpointView,
  Diff,
  Doctor,
  Loaded,
  LogPage,
  Repositories,
  ResumeCommand,
  RewindDone,
  RewindPreview,
} from "../src/view/api-history.ts";
import { type Answer, codeIn, send } from "../src/view/test-kit/page.ts";
import { newPlace, type Place } from "./cli/seam.ts";

const TURNS = [
  { text: "I tidy up.", toolCalls: [{ name: "bash", arguments: { command: "rm -rf notes" } }] },
  {
    text: "Now the greeting.",
    toolCalls: [{ name: "write", arguments: { path: "GREETING.md", content: "Hello.\n" } }],
  },
  {
    toolCalls: [
      { name: "bash", arguments: { command: "git add GREETING.md && git commit -qm Greet" } },
    ],
  },
  { text: "It is committed." },
];
const GATE = `export default (pi) => {
  pi.on("tool_call", (e) => e.input.command?.startsWith("rm") ? { block: true, reason: "Folders stay." } : undefined);
};`;

let place: Place;
let get: (path: string) => Promise<Answer>;
let post: (path: string, body: unknown) => Promise<Answer>;
let session = "";

const git = (...args: string[]) =>
  execFileSync("git", args, { cwd: place.project, encoding: "utf8", stdio: "pipe" });

beforeAll(async () => {
  place = newPlace({ "README.md": "# A project\n", "notes/a.md": "idea\n" });
  git("init", "--quiet", "--initial-branch=main");
  for (const [key, value] of [
    ["user.name", "A"],
    ["user.email", "a@localhost"],
  ]) {
    git("config", key ?? "", value ?? "");
  }
  git("add", "README.md", "notes");
  git("commit", "--quiet", "-m", "Start");
  writeFileSync(join(place.home, "turns.json"), JSON.stringify(TURNS));
  place.write({ ".seam/extensions/gate.ts": GATE });
  await place.seam("trust", "--yes");
  await place.seam("enable", "--agent", "claude-code");
  const ran = await place.seam(
    "run",
    "-p",
    "Greet the team",
    "--model",
    `scripted:${join(place.home, "turns.json")}`,
  );
  expect(ran.stderr + ran.stdout).toContain("It is committed.");
  const { url } = (await place.seam("view", "--json")).json<{ url: string }>();
  const address = new URL(url);
  const [port, host, origin] = [Number(address.port), address.host, address.origin];
  const json = { "content-type": "application/json", origin, host };
  const body = JSON.stringify({ code: codeIn(address) });
  const entered = await send(port, "/api/enter", { method: "POST", headers: json, body });
  const [cookie = ""] = (entered.headers["set-cookie"]?.[0] ?? "").split(";");
  get = (path) => send(port, `/api/${path}`, { headers: { cookie, host } });
  post = (path, wish) =>
    send(port, `/api/${path}`, {
      method: "POST",
      headers: { ...json, cookie },
      body: JSON.stringify(wish),
    });
});

afterAll(async () => {
  await place?.seam("daemon", "stop");
  place?.remove();
});

const repository = () => `repository=${encodeURIComponent(place.project)}`;

it("shows what was recorded in a repository, and the session behind it", async () => {
  const { repositories } = (await get("repositories")).json<Repositories>();
  expect(repositories).toMatchObject([{ path: place.project, branch: "main", isRecorded: true }]);
  const log = (await get(`log?${repository()}`)).json<LogPage>();
  expect(log.items.map(({ type }) => type).sort()).toEqual(["checkpoint", "turn"]);
  expect(log.branches).toEqual(["main"]);
  const checkpoint = log.items.find(({ type }) => type === "checkpoint");
  const turn = log.items.find(({ type }) => type === "turn");
  expect(checkpoint).toMatchObject({ subject: "Greet", files: ["GREETING.md"] });
  expect(turn).toMatchObject({
    prompt: "Greet the team",
    stops: [{ reason: "Folders stay.", by: "gate" }],
  });
  const id = checkpoint?.id ?? "";
  const view = (await get(`checkpoint?${repository()}&id=${id}`)).json<CheckpointView>();
  expect(view).toMatchObject({ author: "A", sessions: [{ agent: "seam", hasTranscript: true }] });
  session = view.sessions[0]?.session ?? "";
  const { diff } = (await get(`diff?${repository()}&checkpoint=${id}`)).json<Diff>();
  expect(diff).toContain("+Hello.");
  const ofTurn = (await get(`diff?${repository()}&turn=${turn?.id}`)).json<Diff>();
  expect(ofTurn.diff).toContain("+Hello.");
  expect((await get(`log?${repository()}&branch=other`)).json<LogPage>().items).toEqual([]);
  const first = (await get(`log?${repository()}&limit=1`)).json<LogPage>();
  const rest = (await get(`log?${repository()}&limit=1&cursor=${first.cursor}`)).json<LogPage>();
  expect([...first.items, ...rest.items].map(({ id: one }) => one)).toEqual(
    log.items.map(({ id: one }) => one),
  );
});

it("tells a session with who stopped what, and its turn", async () => {
  const about = `agent=seam&session=${session}`;
  const head = (await get(`session?${about}`)).json<SessionHead>();
  expect(head).toMatchObject({
    title: "Greet the team",
    agentType: "Seam",
    repository: place.project,
    branch: "main",
    isIndexed: true,
    files: [{ path: "GREETING.md" }],
  });
  const { entries } = (await get(`entries?${about}`)).json<EntriesPage>();
  const calls = entries.flatMap((entry) => (entry.kind === "call" ? entry.call : []));
  expect(calls.map(({ tool, state }) => `${tool} ${state}`)).toEqual([
    "bash stopped",
    "write done",
    "bash done",
  ]);
  expect(calls[0]?.stop).toMatchObject({ reason: "Folders stay.", by: "gate" });
  expect(calls[1]?.diff).toContain("+Hello.");
  const turn = (await get(`turn?${about}`)).json<TurnTimeline>();
  expect(turn.lanes.map(({ name }) => name)).toEqual(["stopped", "write", "bash"]);
  expect(turn.turn).toMatchObject({ canStart: true, canEnd: true });
  const resumed = await post("resume", { repository: place.project, session });
  expect(resumed.json<ResumeCommand>()).toMatchObject({
    command: `seam run --resume ${session} -p`,
    folder: place.project,
  });
});

it("goes back after a preview and a click, once, and forward again", async () => {
  const log = (await get(`log?${repository()}`)).json<LogPage>();
  const turn = log.items.find(({ type }) => type === "turn")?.id;
  const file = join(place.project, "GREETING.md");
  const look = async (wish: object) =>
    (await post("rewind/preview", { repository: place.project, ...wish })).json<RewindPreview>();
  const seen = await look({ to: turn });
  expect(seen.changes).toEqual([{ kind: "deleted", path: "GREETING.md" }]);
  expect(seen.diff).toContain("-Hello.");
  expect(existsSync(file)).toBe(true);
  expect((await post("rewind/do", { token: "guess" })).status).toBe(409);
  writeFileSync(file, "Hello, by hand.\n");
  const changed = await post("rewind/do", { token: seen.token, others: true });
  expect([changed.status, changed.json<Problem>().error.code]).toEqual([409, "SEAM_VIEW_REWIND"]);
  expect(readFileSync(file, "utf8")).toBe("Hello, by hand.\n");
  const again = await look({ to: turn });
  expect(again.others.length).toBeGreaterThan(0);
  const refused = await post("rewind/do", { token: again.token });
  expect(refused.json<Problem>().error.code).toBe("SEAM_REWIND_OTHERS");
  const done = await post("rewind/do", { token: again.token, others: true });
  expect(done.json<RewindDone>()).toMatchObject({
    changed: 1,
    saved: expect.stringContaining("refs/"),
  });
  expect(existsSync(file)).toBe(false);
  expect((await post("rewind/do", { token: again.token, others: true })).status).toBe(409);
  const undo = await look({ undo: true });
  await post("rewind/do", { token: undo.token, others: true });
  expect(readFileSync(file, "utf8")).toBe("Hello, by hand.\n");
});

it("shows what is loaded, and what the doctor says", async () => {
  const loaded = (await get("extensions")).json<Loaded>();
  expect(loaded.projects).toEqual([place.project]);
  expect(loaded.extensions).toMatchObject([
    { name: "gate", isTrusted: true, ok: true, events: ["tool_call"], limits: [] },
  ]);
  expect(loaded.agents.find(({ name }) => name === "claude-code")?.enabled).toEqual(["project"]);
  const said = (await get("doctor")).json<Doctor>();
  const own = (await place.seam("doctor", "--json")).json<Doctor>();
  expect(said.sections.map(({ about }) => about)).toEqual(own.sections.map(({ about }) => about));
  expect((await get("doctor?project=/etc")).status).toBe(404);
});

it("names the run and the task of a crew behind a turn, a commit and a merge", async () => {
  git("checkout", "--quiet", "-b", "seam/tasks/e69aba8d/csv");
  const merged = "Merge task csv\n\nSeam-Run: e69aba8d\nSeam-Task: csv";
  const commands = [
    "echo a,b > a.csv && git add a.csv && git commit -qm 'Read CSV'",
    `git checkout -q main && echo c > c.csv && git add c.csv && git commit -qm '${merged}'`,
  ];
  const calls = commands.map((command, n) => ({
    toolCalls: [{ id: `csv${n}`, name: "bash", arguments: { command } }],
  }));
  writeFileSync(join(place.home, "csv.json"), JSON.stringify([...calls, { text: "It is done." }]));
  await place.seam("run", "-p", "Read CSV", "--model", `scripted:${join(place.home, "csv.json")}`);
  const crew = { run: "e69aba8d", task: "csv" };
  // What a commit leads to is recorded after git and the agent went on.
  const items = await vi.waitFor(async () => {
    const { items: all } = (await get(`log?${repository()}`)).json<LogPage>();
    const ofCrew = all.filter((item) => item.crew).map(({ type }) => type);
    expect(ofCrew).toEqual(["checkpoint", "checkpoint", "turn"]);
    return all;
  });
  expect(items.find(({ type }) => type === "turn")).toMatchObject({ prompt: "Read CSV", crew });
  for (const subject of ["Read CSV", "Merge task csv"]) {
    const found = items.find((item) => item.type === "checkpoint" && item.subject === subject);
    expect(found).toMatchObject({ crew });
  }
});

it("goes on when the project is gone: the session is told from what is left", async () => {
  renameSync(place.project, `${place.project}-moved`);
  const { repositories } = (await get("repositories")).json<Repositories>();
  // It is not offered any more.
  expect(repositories).toEqual([]);
  const gone = await get(`log?${repository()}`);
  expect([gone.status, gone.json<Problem>().error.code]).toEqual([404, "SEAM_VIEW_REPOSITORY"]);
  expect((await get("now")).status).toBe(200);
  expect((await get(`session?agent=seam&session=${session}`)).status).toBe(200);
  renameSync(`${place.project}-moved`, place.project);
});
