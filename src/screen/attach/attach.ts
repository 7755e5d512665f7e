import { basename } from "node:path";
import type { Run } from "../../crew/index.ts";
import {
  askService,
  type DaemonPaths,
  type LiveSession,
  type Question,
  watchPeople,
} from "../../daemon/index.ts";
import { explain } from "../../errors/index.ts";
import {
  CustomEditor,
  getEditorTheme,
  getKeybindings,
  type Keybinding,
  matchesKey,
  type SelectItem,
  safeText,
  suspendProcess,
  type Terminal,
  truncateToWidth,
} from "../../terminal/index.ts";
import { NoticeBlock } from "../blocks/text-blocks.ts";
import { searchTranscript } from "../parts/search-line.ts";
import { Stage } from "../parts/stage.ts";
import { FilterList } from "../pickers/filter-list.ts";
import { CrewBoard, RUN_MARKS } from "./crew-board.ts";
import { EntryBlock } from "./entry-block.ts";
import { PageClient } from "./page-client.ts";
import { askQuestion } from "./question.ts";

export interface AttachOptions {
  readonly terminal: Terminal;
  readonly paths: DaemonPaths;
  /** Offered before the sessions: what else one can start here. */
  readonly offers: readonly SelectItem[];
  readonly typeOf: (agent: string) => string;
}

const PHASES: Readonly<Record<LiveSession["phase"], string>> = {
  "needs-you": "! needs you",
  working: "◌ working",
  done: "✓ done",
  quiet: "· quiet",
};
/** Crews are loaded when they are first looked at: Seam's own agent does not need them. */
const crews = () => import("../../crew/index.ts");

const CREW = "crew ";
const MOST_RUNS = 20;

const runItem = ({ id, state, goal }: Run): SelectItem => ({
  value: CREW + id,
  label: `${RUN_MARKS[state]}  crew ${id}`,
  description: goal.replace(/\s+/g, " "),
});

const ORDER: readonly LiveSession["phase"][] = ["needs-you", "working", "done", "quiet"];

const keyOf = ({ agent, session }: Pick<LiveSession, "agent" | "session">) => `${agent} ${session}`;

/** The live sessions of all agents, one of them as it grows, and what waits for an answer. */
export class Attach {
  readonly #options: AttachOptions;
  readonly #stage: Stage;
  readonly #page: PageClient;
  readonly #stop = new AbortController();
  readonly #sessions = new Map<string, LiveSession>();
  readonly #asked = new Map<string, AbortController>();
  readonly #editor: CustomEditor;
  /** The list of sessions, while it is what is shown. */
  #list: FilterList | undefined;
  #runs: readonly Run[] = [];
  /** The crew's run that is looked at. */
  #run: { readonly board: CrewBoard; readonly leave: AbortController } | undefined;
  #open: { readonly key: string; readonly blocks: Map<string, EntryBlock> } | undefined;
  #reading = false;
  /** The daemon is gone; all that is shown is from before. */
  #isLost = false;
  #end: (chosen: string | undefined) => void = () => {};
  /** What of the offers was chosen; undefined: the user left. */
  readonly ended = new Promise<string | undefined>((resolve) => {
    this.#end = resolve;
  });

  constructor(options: AttachOptions) {
    this.#options = options;
    this.#page = new PageClient(options.paths);
    this.#stage = new Stage(options.terminal, (thrown) => this.#say(explain(thrown), "error"));
    const { screen, theme, transcript } = this.#stage;
    this.#editor = new CustomEditor(screen, getEditorTheme(theme), getKeybindings());
    this.#editor.onSubmit = (text) => void this.#attempt(() => this.#tell(text));
    const back = () => {
      const wasRun = this.#run !== undefined;
      this.#showList();
      // A run may have got on meanwhile.
      if (wasRun) void this.#attempt(() => this.#readRuns().then(() => this.#updateList()));
    };
    this.#editor.onEscape = back;
    this.#editor.onCtrlD = back;
    this.#editor.onAction("app.clear", back);
    this.#stage.footer = (width) => [theme.fg("dim", truncateToWidth(this.#hint(), width, "…"))];
    const moves: readonly (readonly [Keybinding, () => void])[] = [
      ["app.scroll.pageUp", () => transcript.page(-1)],
      ["app.scroll.pageDown", () => transcript.page(1)],
      ["app.scroll.end", () => transcript.toEnd()],
      ["app.scroll.search", () => searchTranscript(this.#stage)],
      ["app.suspend", () => suspendProcess(screen)],
      ["app.tools.expand", () => this.#expand()],
    ];
    screen.addInputListener((data) => {
      const move = moves.find(([action]) => getKeybindings().matches(data, action));
      if (!move || (!this.#stage.isEditing && !matchesKey(data, "ctrl+z"))) return undefined;
      move[1]();
      return { consume: true };
    });
  }

  async run(session?: string): Promise<string | undefined> {
    this.#stage.screen.start();
    this.#stage.screen.terminal.setTitle("seam attach");
    this.#showList();
    void this.#watch();
    await this.#attempt(async () => {
      await this.#readLive();
      const wanted = [...this.#sessions.values()].find(
        (one) => session !== undefined && one.session.startsWith(session),
      );
      if (wanted) await this.#show(keyOf(wanted));
      else this.#updateList();
    });
    const chosen = await this.ended;
    this.#stop.abort();
    this.#stage.queue.dismissAll();
    await this.#stage.screen.terminal.drainInput();
    this.#stage.screen.stop();
    return chosen;
  }

  leave(): void {
    this.#end(undefined);
  }

  async #watch(): Promise<void> {
    const { paths } = this.#options;
    for await (const line of watchPeople(paths, {
      name: "seam attach",
      signal: this.#stop.signal,
      onLost: () => {
        this.#isLost = true;
        this.#stage.screen.requestRender();
      },
    })) {
      if (line.type === "waiting") this.#found(line.questions);
      else if (line.type === "asked") this.#ask(line.question);
      else if (line.type === "settled") {
        this.#asked.get(line.id)?.abort();
        this.#asked.delete(line.id);
      } else if (line.type === "notice") this.#say(`${line.agent}: ${line.text}`, line.level);
      else if (line.type === "session") this.#changed(line.session);
      this.#stage.screen.requestRender();
    }
  }

  /** The daemon is there, maybe another one: what happened while there was none is read. */
  #found(questions: readonly Question[]): void {
    const waiting = new Set(questions.map(({ id }) => id));
    for (const [id, closed] of this.#asked) {
      if (waiting.has(id)) continue;
      closed.abort();
      this.#asked.delete(id);
    }
    for (const question of questions) this.#ask(question);
    if (!this.#isLost) return;
    this.#isLost = false;
    void this.#attempt(async () => {
      await this.#readLive();
      if (this.#open) await this.#read();
      else this.#updateList();
    });
  }

  async #readLive(): Promise<void> {
    const { sessions } = (await askService(this.#options.paths, "GET", "/v1/live")) as {
      sessions: LiveSession[];
    };
    this.#sessions.clear();
    for (const one of sessions) this.#sessions.set(keyOf(one), one);
    await this.#readRuns();
  }

  #ask(question: Question): void {
    if (this.#asked.has(question.id)) return;
    const closed = new AbortController();
    this.#asked.set(question.id, closed);
    this.#stage.screen.terminal.write("\u0007");
    const { paths } = this.#options;
    void this.#attempt(() => askQuestion(paths, this.#stage.dialogs, question, closed.signal));
  }

  #changed(session: LiveSession): void {
    this.#sessions.set(keyOf(session), session);
    if (this.#open?.key === keyOf(session)) void this.#attempt(() => this.#read());
    else this.#updateList();
  }

  /** Where crews cannot be asked, there are none to show. */
  async #readRuns(): Promise<void> {
    const { listRuns } = await crews();
    this.#runs = await listRuns(this.#options.paths).catch(() => []);
  }

  /** What the list is called, and what can be chosen in it. */
  #listed(): [title: string, items: readonly SelectItem[]] {
    const sessions = [...this.#sessions.values()]
      .filter(({ isEnded }) => !isEnded)
      .sort((a, b) => ORDER.indexOf(a.phase) - ORDER.indexOf(b.phase) || b.at.localeCompare(a.at));
    const items = sessions.map((one) => ({
      value: keyOf(one),
      label: `${PHASES[one.phase]}  ${this.#options.typeOf(one.agent)}  ${basename(one.cwd)}`,
      description: (one.prompt ?? one.lastCall?.target ?? one.session).replace(/\s+/g, " "),
    }));
    const nothing = sessions.length === 0 ? "; no agent is at work" : "";
    const runs = this.#runs.slice(0, MOST_RUNS).map(runItem);
    return [`Live sessions of all agents${nothing}`, [...this.#options.offers, ...items, ...runs]];
  }

  #updateList(): void {
    this.#list?.update(...this.#listed());
    this.#stage.screen.requestRender();
  }

  #showList(): void {
    this.#open = undefined;
    this.#run?.leave.abort();
    this.#run = undefined;
    this.#stage.transcript.clear();
    const { offers } = this.#options;
    const [title, items] = this.#listed();
    this.#list = new FilterList({
      title,
      items,
      theme: this.#stage.theme,
      rows: () => this.#stage.screen.terminal.rows,
      hint: "enter: open, type to filter, esc: leave",
      empty:
        "Sessions appear here as soon as an agent works in a folder where you ran: seam enable",
      done: (value) => {
        if (value === undefined) this.leave();
        else if (offers.some((offer) => offer.value === value)) this.#end(value);
        else if (value.startsWith(CREW)) {
          void this.#attempt(() => this.#showRun(value.slice(CREW.length)));
        } else void this.#attempt(() => this.#show(value));
      },
    });
    this.#stage.editor = this.#list;
    this.#stage.screen.requestRender();
  }

  async #show(key: string): Promise<void> {
    this.#list = undefined;
    this.#open = { key, blocks: new Map() };
    this.#stage.transcript.clear();
    this.#editor.setText("");
    this.#stage.editor = this.#editor;
    await this.#read();
  }

  /** A crew's board, drawn anew with everything that happens in the run. */
  async #showRun(id: string): Promise<void> {
    const { paths, typeOf } = this.#options;
    const { transcript, look, screen } = this.#stage;
    const { followRun, showRun } = await crews();
    const leave = new AbortController();
    const board = new CrewBoard(look, await showRun(paths, id), typeOf);
    this.#run = { board, leave };
    this.#list = undefined;
    transcript.clear();
    transcript.add(board);
    this.#editor.setText("");
    this.#stage.editor = this.#editor;
    const signal = AbortSignal.any([leave.signal, this.#stop.signal]);
    for await (const _ of followRun(paths, id, signal)) {
      const report = await showRun(paths, id);
      if (signal.aborted) return;
      board.update(report);
      screen.requestRender();
    }
  }

  /** Reads what came since, one at a time. */
  async #read(): Promise<void> {
    const open = this.#open;
    const live = open && this.#sessions.get(open.key);
    if (!open || !live || this.#reading) return;
    this.#reading = true;
    try {
      // The last one may have changed, so it is read again.
      const after = [...open.blocks.keys()].at(-2);
      const { entries } = await this.#page.entries(live.agent, live.session, after);
      if (this.#open !== open) return;
      for (const entry of entries) {
        const known = open.blocks.get(entry.key);
        if (known) known.update(entry);
        else {
          const block = new EntryBlock(this.#stage.look, entry);
          open.blocks.set(entry.key, block);
          this.#stage.transcript.add(block);
        }
      }
    } finally {
      this.#reading = false;
      this.#stage.screen.requestRender();
    }
  }

  async #tell(text: string): Promise<void> {
    const asked = this.#run?.board.asked;
    if (asked !== undefined && text !== "") {
      const { answerCrew } = await crews();
      await answerCrew(this.#options.paths, asked, text);
      return;
    }
    const live = this.#open && this.#sessions.get(this.#open.key);
    if (!live || text === "") return;
    const { agent, session } = live;
    const said = await askService(this.#options.paths, "POST", "/v1/live/say", {
      agent,
      session,
      text,
    });
    const { when } = said as { when: string };
    this.#say(
      when === "next step" ? "It hears that at its next step." : `It hears that ${when}.`,
      "info",
    );
  }

  #expand(): void {
    const { look } = this.#stage;
    look.toolsExpanded = !look.toolsExpanded;
    look.changed();
  }

  #hint(): string {
    if (this.#isLost) return "The daemon has ended. The next step of an agent starts it again.";
    const live = this.#open && this.#sessions.get(this.#open.key);
    if (this.#run) return `${this.#run.board.hint}, esc: all sessions`;
    if (!live)
      return `${this.#asked.size} ${this.#asked.size === 1 ? "question waits" : "questions wait"}`;
    const { agent, cwd, phase, session } = live;
    const who = `${this.#options.typeOf(agent)}  ${PHASES[phase]}`;
    // The keys first: a folder may be long.
    return `${who}  enter: say it, esc: all sessions  ${safeText(cwd)}  ${session}`;
  }

  #say(text: string, level: "info" | "warning" | "error"): void {
    this.#stage.transcript.add(new NoticeBlock(this.#stage.look, text, level));
    this.#stage.screen.requestRender();
  }

  async #attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (thrown) {
      this.#say(explain(thrown), "error");
    }
  }
}
