import { basename } from "node:path";
import { explain } from "../../errors/index.ts";
import { type SeamEvent, textOfContent } from "../../events/index.ts";
import type { EmbeddedAgent } from "../../host/index.ts";
import {
  type AutocompleteProvider,
  type Component,
  isKeyId,
  type Keybinding,
  matchesKey,
  suspendProcess,
} from "../../terminal/index.ts";
import { cycleModel, cycleThinking } from "../commands/model-commands.ts";
import { WITHOUT_MODEL } from "../commands/without-model.ts";
import { PromptCompletions } from "../editor/completions.ts";
import { editOutside } from "../editor/external-editor.ts";
import { readKeys } from "../look/keys.ts";
import { Themes } from "../look/themes.ts";
import { footerLines } from "../parts/footer.ts";
import { GitBranch } from "../parts/git-branch.ts";
import { Stage } from "../parts/stage.ts";
import { Title } from "../parts/title.ts";
import { SessionView } from "../transcript/session-view.ts";
import { agentUI } from "./agent-ui.ts";
import { completableCommands } from "./completable-commands.ts";
import { Entering } from "./entering.ts";
import type { ScreenUI } from "./extension-ui.ts";
import type { AgentConnection, InteractiveOptions } from "./interactive-options.ts";
import { PromptEditor } from "./prompt-editor.ts";
import { waitingLines } from "./prompt-queue.ts";
import { scrollKeys } from "./scroll-keys.ts";
import { SessionUsage } from "./session-usage.ts";
import { welcome } from "./welcome.ts";

const CATCH_UP_MS = 400;

/** The embedded agent in a terminal. */
export class Interactive {
  readonly #options: InteractiveOptions;
  readonly #stage: Stage;
  readonly themes: Themes;
  readonly #branch: GitBranch;
  readonly #editor: PromptEditor;
  readonly #view: SessionView;
  readonly #entering: Entering;
  readonly #title: Title;
  readonly #ui: ScreenUI;
  readonly #statuses = new Map<string, string>();
  readonly #usage = new SessionUsage();
  #completions: AutocompleteProvider;
  #agent: EmbeddedAgent | undefined;
  #header: Component;
  #footer: Component | undefined;
  #end: () => void = () => {};
  readonly ended = new Promise<void>((resolve) => {
    this.#end = resolve;
  });

  constructor(options: InteractiveOptions) {
    this.#options = options;
    const { cwd, terminal } = options;
    const failed = (thrown: unknown) => this.notify(explain(thrown), "error");
    this.#stage = new Stage(terminal, failed, options.fullscreen);
    const stage = this.#stage;
    this.themes = new Themes({
      paths: () => [...options.themePaths, ...(this.#agent?.themePaths ?? [])],
      env: options.env,
      onChange: () => stage.look.changed(),
      onProblem: (text) => this.notify(text, "warning"),
    });
    this.#title = new Title(terminal, () => this.#agent?.session.getSessionName() ?? basename(cwd));
    this.#branch = new GitBranch(cwd);
    this.#branch.onChange(() => this.#draw());
    this.#completions = new PromptCompletions(cwd, () => completableCommands(this.#agent));
    this.#editor = new PromptEditor({
      tui: stage.screen,
      theme: stage.theme,
      submit: (text) => this.#entering.submit(text, "steer"),
      actions: this.#actions(),
      escape: () => this.#entering.escape(),
      exit: () => this.quit(),
      pasteImage: () => this.#entering.pasteImage(),
      shortcut: (data) => this.#shortcut(data),
      guard: (make) => this.#ui.guarded(make, "The editor"),
    });
    this.#view = new SessionView(stage.look, stage.transcript, {
      cwd,
      drawnBy: (name) => this.#agent?.extensions.toolRenderers(name),
      entryRendererOf: (customType) => this.#agent?.extensions.entryRenderer(customType),
      rendererOf: (customType) => this.#agent?.extensions.renderer(customType),
      requestRender: () => this.#draw(),
    });
    this.#entering = new Entering({
      stage,
      view: this.#view,
      editor: this.#editor,
      themes: this.themes,
      agent: () => this.#agent,
      notify: (text, level) => this.notify(text, level),
      attempt: (work) => void this.#attempt(work),
      readKeys: () => this.#readKeys(),
      quit: () => this.quit(),
    });
    stage.look.transform = (text, messageType, isStreaming) => {
      const context = { messageType, isStreaming, availableWidth: terminal.columns };
      return this.#agent?.extensions.markdown(text, context) ?? text;
    };
    this.#header = welcome(stage.theme, options.version);
    this.#ui = this.#makeUI();
    stage.editor = this.#editor.component;
    this.#editor.completions = this.#completions;
    stage.waiting = (width) =>
      this.#agent ? waitingLines(this.#agent.queue, width, stage.theme) : [];
    stage.footer = (width) => this.#footerLines(width);
    stage.beforeDrawing = () => this.#paintBorder();
    stage.transcript.add(this.#headerSlot);
    stage.screen.addInputListener(scrollKeys(stage));
  }

  /** Opens the screen. The editor can be used from now on; what is entered waits for the agent. */
  open(): AgentConnection {
    this.#readKeys();
    if (this.#options.theme !== undefined) {
      const { error } = this.themes.use(this.#options.theme);
      if (error) this.notify(error, "warning");
    }
    this.#stage.screen.start();
    this.#title.update();
    return {
      ui: this.#ui,
      onEvent: (event) => this.#hear(event),
      onLog: (level, text) => {
        if (level === "error") this.notify(text, "error");
        else if (level === "warn") this.notify(text, "warning");
      },
    };
  }

  /** The agent is there: its session is shown, and what was entered meanwhile is brought up. */
  begin(agent: EmbeddedAgent): void {
    this.#agent = agent;
    this.#showSession();
    if (!agent.model) this.notify(WITHOUT_MODEL, "warning");
    const timer = setInterval(() => this.#catchUp(), CATCH_UP_MS);
    timer.unref();
    void this.ended.then(() => clearInterval(timer));
    if (this.#options.command !== undefined) this.#entering.enter(this.#options.command);
    this.#entering.begin();
    this.#draw();
  }

  notify(text: string, level: "info" | "warning" | "error" = "info"): void {
    this.#view.notice(text, level);
    this.#draw();
  }

  quit(): void {
    this.#end();
  }

  /** Gives the terminal back. What was said here stays on it, to be read and copied, unless it is gone. */
  async close(isGone = false): Promise<void> {
    this.#stage.queue.dismissAll();
    this.#stage.working.stop();
    this.themes.close();
    this.#branch.close();
    await this.#stage.screen.terminal.drainInput();
    const { screen } = this.#stage;
    this.#view.end();
    if (isGone) screen.stop([]);
    else if (this.#options.fullscreen === false) screen.stop();
    else screen.stop(this.#view.lastSaid(screen.terminal.columns));
  }

  readonly #headerSlot: Component = {
    render: (width) => this.#header.render(width),
    invalidate: () => this.#header.invalidate(),
  };

  #makeUI(): ScreenUI {
    return agentUI(this.#options, {
      stage: this.#stage,
      themes: this.themes,
      statuses: this.#statuses,
      footerData: {
        getGitBranch: () => this.#branch.name,
        getExtensionStatuses: () => this.#statuses,
        getAvailableProviderCount: () => {
          const models = this.#agent?.models.getAvailable() ?? [];
          return new Set(models.map(({ provider }) => provider)).size;
        },
        onBranchChange: (listener) => this.#branch.onChange(listener),
      },
      notify: (text, level) => this.notify(text, level),
      setTitle: (title) => this.#stage.screen.terminal.setTitle(title),
      setHeader: (header) => {
        this.#header = header ?? welcome(this.#stage.theme, this.#options.version);
      },
      setFooter: (footer) => {
        this.#footer = footer;
      },
      setEditorFactory: (factory) => {
        this.#editor.use(factory);
        this.#stage.editor = this.#editor.component;
      },
      editorText: {
        get: () => this.#editor.text,
        set: (text) => {
          this.#editor.text = text;
        },
        paste: (text) => this.#editor.insert(text),
      },
      wrapCompletions: (wrap) => {
        this.#completions = wrap(this.#completions);
        this.#editor.completions = this.#completions;
      },
    });
  }

  #hear(event: SeamEvent): void {
    this.#view.hear(event);
    this.#stage.working.hear(event);
    switch (event.type) {
      case "agent_start":
        this.#title.isWorking = true;
        break;
      case "agent_settled":
        this.#title.isWorking = false;
        if (this.#agent?.shutdownRequested) this.quit();
        break;
      case "session_shutdown":
        if (event.reason === "reload") this.#view.reload();
        else if (event.reason !== "quit") this.#view.leave();
        this.#ui.clear();
        this.#completions = new PromptCompletions(this.#options.cwd, () =>
          completableCommands(this.#agent),
        );
        this.#editor.completions = this.#completions;
        break;
      case "session_tree":
        this.#view.leave();
        this.#showSession();
        break;
      case "session_start":
        if (this.#agent) this.#showSession();
        break;
      default:
    }
    this.#draw();
  }

  #showSession(): void {
    const agent = this.#agent;
    if (!agent) return;
    const branch = agent.session.getBranch();
    this.#view.show(branch, [this.#headerSlot]);
    for (const entry of branch) {
      if (entry.type !== "message" || entry.message.role !== "user") continue;
      this.#editor.remember(textOfContent(entry.message.content));
    }
    this.#title.update();
    this.#draw();
  }

  #catchUp(): void {
    this.#title.update();
    if (this.#agent?.isIdle && this.#view.catchUp(this.#agent.session.getBranch())) this.#draw();
    if (this.#agent?.shutdownRequested && this.#agent.isIdle) this.quit();
  }

  #actions(): Partial<Record<Keybinding, () => void>> {
    const { look } = this.#stage;
    const run = (name: string) => () => this.#entering.enter(`/${name}`);
    return {
      "app.clear": () => this.#entering.clear(),
      "app.suspend": () => suspendProcess(this.#stage.screen),
      "app.tools.expand": () => {
        look.toolsExpanded = !look.toolsExpanded;
        look.changed();
      },
      "app.thinking.toggle": () => {
        look.thinkingHidden = !look.thinkingHidden;
        look.changed();
      },
      "app.thinking.cycle": () => this.#withAgent(cycleThinking),
      "app.model.select": run("model"),
      "app.model.cycleForward": () => this.#withAgent((agent) => cycleModel(agent, 1)),
      "app.model.cycleBackward": () => this.#withAgent((agent) => cycleModel(agent, -1)),
      "app.editor.external": () => void this.#editOutside(),
      "app.message.followUp": () => this.#entering.submit(this.#editor.take(), "followUp"),
      "app.message.dequeue": () => this.#entering.takeBack(),
      "app.session.new": run("new"),
      "app.session.tree": run("tree"),
      "app.session.fork": run("fork"),
      "app.session.resume": run("resume"),
    };
  }

  #shortcut(data: string): boolean {
    const shortcut = this.#agent?.extensions
      .shortcuts()
      .find(({ key }) => isKeyId(key) && matchesKey(data, key));
    shortcut?.run();
    return shortcut !== undefined;
  }

  #withAgent(work: (agent: EmbeddedAgent) => Promise<void>): void {
    const agent = this.#agent;
    if (agent) void this.#attempt(() => work(agent));
  }

  async #attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (thrown) {
      this.notify(explain(thrown), "error");
    }
    this.#title.update();
    this.#draw();
  }

  async #editOutside(): Promise<void> {
    const text = await editOutside(this.#editor.text, this.#stage.screen);
    if (text === undefined) this.notify("The editor failed; the prompt is as it was.", "warning");
    else this.#editor.text = text;
    this.#draw();
  }

  /** The border tells how hard the model thinks, and that a line is for the shell. */
  #paintBorder(): void {
    const { theme } = this.#stage;
    const level = this.#agent?.thinkingLevel ?? "off";
    this.#editor.borderColor = this.#editor.isForShell
      ? theme.getBashModeBorderColor()
      : theme.getThinkingBorderColor(level);
  }

  #footerLines(width: number): readonly string[] {
    if (this.#footer) return this.#footer.render(width);
    const place = { cwd: this.#options.cwd, branch: this.#branch.name, statuses: this.#statuses };
    return footerLines({ ...place, ...this.#usage.facts(this.#agent) }, width, this.#stage.theme);
  }

  #readKeys(): void {
    for (const problem of readKeys(this.#options.keysFile)) this.notify(problem, "warning");
  }

  #draw(): void {
    this.#stage.screen.requestRender();
  }
}
