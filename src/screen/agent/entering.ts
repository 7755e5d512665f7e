import type { EmbeddedAgent } from "../../host/index.ts";
import { SCREEN_COMMANDS } from "../commands/index.ts";
import type { CommandSurroundings } from "../commands/screen-command.ts";
import { PastedImages } from "../editor/clipboard-image.ts";
import type { Themes } from "../look/themes.ts";
import type { Stage } from "../parts/stage.ts";
import type { SessionView } from "../transcript/session-view.ts";
import type { PromptEditor } from "./prompt-editor.ts";
import { takeBack } from "./prompt-queue.ts";

export interface EnteringSurroundings {
  readonly stage: Stage;
  readonly view: SessionView;
  readonly editor: PromptEditor;
  readonly themes: Themes;
  /** Undefined as long as the agent is not there yet. */
  readonly agent: () => EmbeddedAgent | undefined;
  notify(text: string, level?: "info" | "warning" | "error"): void;
  /** Does something that may fail; the failure is shown. */
  attempt(work: () => Promise<void>): void;
  readKeys(): void;
  quit(): void;
}

type Delivery = "steer" | "followUp";

const TWICE_MS = 600;

/** What becomes of what the user enters: a command, something for the shell, or a prompt. */
export class Entering {
  readonly #around: EnteringSurroundings;
  readonly #images: PastedImages;
  /** What was entered before the agent was there. */
  #early: (() => void)[] = [];
  #lastEscape = 0;
  #lastClear = 0;

  constructor(around: EnteringSurroundings) {
    this.#around = around;
    const { editor, notify } = around;
    this.#images = new PastedImages((text) => editor.insert(text), notify);
  }

  /** The agent is there: what was entered meanwhile is brought up. */
  begin(): void {
    for (const enter of this.#early.splice(0)) enter();
  }

  submit(text: string, kind: Delivery): void {
    if (text === "" && this.#images.count === 0) return;
    const { editor, stage, agent, notify } = this.#around;
    editor.remember(text);
    stage.transcript.toEnd();
    if (agent()) this.enter(text, kind);
    else {
      this.#early.push(() => this.enter(text, kind));
      notify(`◌ ${text}\n  waits until the extensions are loaded`);
    }
  }

  enter(text: string, kind: Delivery = "steer"): void {
    const agent = this.#around.agent();
    if (agent) this.#around.attempt(() => this.#enter(text, kind, agent));
  }

  pasteImage(): void {
    this.#around.attempt(() => this.#images.paste());
  }

  /** Stops the agent or a command of the user's; twice in a row at rest: the session tree. */
  escape(): void {
    const agent = this.#around.agent();
    if (agent && !agent.isIdle) {
      this.takeBack();
      void agent.abort();
      return;
    }
    void agent?.abortBash();
    const now = Date.now();
    const isTwice = now - this.#lastEscape < TWICE_MS;
    this.#lastEscape = isTwice ? 0 : now;
    if (isTwice && this.#around.editor.text === "") this.enter("/tree");
  }

  /** Empties the editor; twice in a row: leaves. */
  clear(): void {
    const { editor, stage, quit } = this.#around;
    const now = Date.now();
    if (editor.text === "" && now - this.#lastClear < TWICE_MS * 2) {
      quit();
      return;
    }
    this.#lastClear = now;
    editor.text = "";
    this.#images.take();
    stage.screen.requestRender();
  }

  /** What the agent has not heard yet comes back into the editor. */
  takeBack(): void {
    const { agent, editor, stage } = this.#around;
    const queue = agent()?.queue;
    if (!queue) return;
    const texts = [takeBack(queue), editor.text].filter((text) => text !== "");
    editor.text = texts.join("\n\n");
    stage.screen.requestRender();
  }

  async #enter(text: string, deliverAs: Delivery, agent: EmbeddedAgent): Promise<void> {
    const shell = /^(!!?)\s*([\s\S]+)$/.exec(text);
    if (shell) {
      const [command = "", excludeFromContext] = [shell[2], shell[1] === "!!"];
      const run = (onOutput: (data: Buffer) => void) =>
        agent.bash(command, { excludeFromContext, onOutput });
      return this.#around.view.runUserBash(command, excludeFromContext, run);
    }
    const [, name = "", args = ""] = /^\/(\S+)\s*([\s\S]*)$/.exec(text) ?? [];
    // One of an extension comes before one of ours.
    const isTaken = agent.commands.some((command) => command.name === name);
    const command = isTaken ? undefined : SCREEN_COMMANDS.find((one) => one.name === name);
    if (command) return command.run(this.#commandSurroundings(agent), args.trim());
    const images = this.#images.take();
    const pictures = images.length > 0 ? { images } : {};
    return agent.prompt(text, { source: "interactive", deliverAs, ...pictures });
  }

  #commandSurroundings(agent: EmbeddedAgent): CommandSurroundings {
    const { editor, ...around } = this.#around;
    return {
      ...around,
      agent,
      setEditorText: (text) => {
        editor.text = text;
      },
    };
  }
}
