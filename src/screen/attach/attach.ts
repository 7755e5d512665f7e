import { basename } from "node:path";
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
import { Stage } from "../parts/stage.ts";
import { FilterList } from "../pickers/filter-list.ts";
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
  #open: { readonly key: string; readonly blocks: Map<string, EntryBlock> } | undefined;
  #reading = false;
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
    this.#editor.onEscape = () => this.#showList();
    this.#editor.onCtrlD = () => this.#showList();
    this.#editor.onAction("app.clear", () => this.#showList());
    this.#stage.footer = (width) => [theme.fg("dim", truncateToWidth(this.#hint(), width, "…"))];
    const moves: readonly (readonly [Keybinding, () => void])[] = [
      ["app.scroll.pageUp", () => transcript.page(-1)],
      ["app.scroll.pageDown", () => transcript.page(1)],
      ["app.scroll.end", () => transcript.toEnd()],
      ["app.suspend", () => suspendProcess(screen)],
      ["app.tools.expand", () => this.#expand()],
    ];
    screen.addInputListener((data) => {
      const move = moves.find(([action]) => getKeybindings().matches(data, action));
      if (!move || (this.#stage.queue.current && !matchesKey(data, "ctrl+z"))) return undefined;
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
      const { sessions } = (await askService(this.#options.paths, "GET", "/v1/live")) as {
        sessions: LiveSession[];
      };
      for (const one of sessions) this.#sessions.set(keyOf(one), one);
      const wanted = sessions.find(
        (one) => session !== undefined && one.session.startsWith(session),
      );
      if (wanted) await this.#show(keyOf(wanted));
      else this.#showList();
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
    })) {
      if (line.type === "waiting") for (const question of line.questions) this.#ask(question);
      else if (line.type === "asked") this.#ask(line.question);
      else if (line.type === "settled") {
        this.#asked.get(line.id)?.abort();
        this.#asked.delete(line.id);
      } else if (line.type === "notice") this.#say(`${line.agent}: ${line.text}`, line.level);
      else if (line.type === "session") this.#changed(line.session);
      this.#stage.screen.requestRender();
    }
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
    else if (!this.#open) this.#showList();
  }

  #showList(): void {
    this.#open = undefined;
    this.#stage.transcript.clear();
    const sessions = [...this.#sessions.values()]
      .filter(({ isEnded }) => !isEnded)
      .sort((a, b) => ORDER.indexOf(a.phase) - ORDER.indexOf(b.phase) || b.at.localeCompare(a.at));
    const items = sessions.map((one) => ({
      value: keyOf(one),
      label: `${PHASES[one.phase]}  ${this.#options.typeOf(one.agent)}  ${basename(one.cwd)}`,
      description: (one.prompt ?? one.lastCall?.target ?? one.session).replace(/\s+/g, " "),
    }));
    const { offers } = this.#options;
    const nothing = sessions.length === 0 ? "; no agent is at work" : "";
    this.#stage.editor = new FilterList({
      title: `Live sessions of all agents${nothing}`,
      items: [...offers, ...items],
      theme: this.#stage.theme,
      rows: () => this.#stage.screen.terminal.rows,
      hint: "enter: open, type to filter, esc: leave",
      done: (value) => {
        if (value === undefined) this.leave();
        else if (offers.some((offer) => offer.value === value)) this.#end(value);
        else void this.#attempt(() => this.#show(value));
      },
    });
    this.#stage.screen.requestRender();
  }

  async #show(key: string): Promise<void> {
    this.#open = { key, blocks: new Map() };
    this.#stage.transcript.clear();
    this.#editor.setText("");
    this.#stage.editor = this.#editor;
    await this.#read();
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
    const live = this.#open && this.#sessions.get(this.#open.key);
    if (!live) return `${this.#asked.size} questions wait`;
    const { agent, cwd, phase, session } = live;
    const who = `${this.#options.typeOf(agent)}  ${safeText(cwd)}  ${PHASES[phase]}  ${session}`;
    return `${who}  enter: say it, esc: all sessions`;
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
