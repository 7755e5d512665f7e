import {
  Editor,
  getEditorTheme,
  getSelectListTheme,
  Input,
  keyText,
  matchesKey,
  SelectList,
  safeText,
  type Theme,
  type TUI,
  truncateToWidth,
  wrapTextWithAnsi,
} from "../../terminal/index.ts";
import { type DialogQueue, Framed } from "./dialog.ts";

interface Options {
  readonly signal?: AbortSignal;
  readonly timeout?: number;
  /** Who asks, for people. */
  readonly from?: string;
}

/** A title may be long: of what is above a list, at most this much of the screen is used. */
const SHARE_OF_SCREEN = 0.5;

/** The dialogs of Pi's user interface, in the place of the editor. */
export class Dialogs {
  readonly #queue: DialogQueue;
  readonly #tui: TUI;
  readonly #theme: Theme;

  constructor(queue: DialogQueue, tui: TUI, theme: Theme) {
    this.#queue = queue;
    this.#tui = tui;
    this.#theme = theme;
  }

  select(
    title: string,
    options: readonly string[],
    opts: Options = {},
  ): Promise<string | undefined> {
    return this.#choose(
      title,
      options.map((value) => ({ value, label: safeText(value) })),
      opts,
    );
  }

  async confirm(title: string, message: string, opts: Options = {}): Promise<boolean> {
    const items = [
      { value: "yes", label: "Yes" },
      { value: "no", label: "No" },
    ];
    return (await this.#choose(`${title}\n${message}`, items, opts, SHORT_YES_NO)) === "yes";
  }

  /** A question with answers that have a key each. */
  choose(
    text: string,
    items: { value: string; label: string; description?: string }[],
    opts: Options & { readonly keys?: Readonly<Record<string, string>> } = {},
  ): Promise<string | undefined> {
    return this.#choose(text, items, opts, opts.keys);
  }

  input(title: string, placeholder = "", opts: Options = {}): Promise<string | undefined> {
    return this.#queue.ask<string>((done) => {
      const input = new Input();
      input.onSubmit = (value) => done(value);
      input.onEscape = () => done(undefined);
      const hint = placeholder === "" ? "" : safeText(placeholder);
      return new Framed(
        input,
        (width) => this.#head(title, width, opts),
        (width) => {
          const shown = input.getValue() === "" && hint !== "" ? [`  ${hint}`] : [];
          return [
            ...shown.map((line) => this.#dim(line, width)),
            this.#keys(width, "enter", "esc"),
          ];
        },
      );
    }, opts);
  }

  editor(title: string, prefill = "", opts: Options = {}): Promise<string | undefined> {
    return this.#queue.ask<string>((done) => {
      const editor = new Editor(this.#tui, getEditorTheme(this.#theme));
      editor.setText(prefill);
      editor.onSubmit = (text) => done(text);
      const framed = new Framed(
        editor,
        (width) => this.#head(title, width, opts),
        (width) => [this.#dim("enter: done, shift+enter: new line, esc: cancel", width)],
      );
      const press = framed.handleInput.bind(framed);
      framed.handleInput = (data) => {
        if (matchesKey(data, "escape") || matchesKey(data, "ctrl+c")) done(undefined);
        else press(data);
      };
      return framed;
    }, opts);
  }

  #choose(
    title: string,
    items: { value: string; label: string; description?: string }[],
    opts: Options,
    keys: Readonly<Record<string, string>> = {},
  ): Promise<string | undefined> {
    return this.#queue.ask<string>((done) => {
      const room = Math.max(3, Math.min(12, Math.floor(this.#tui.terminal.rows / 3)));
      const list = new SelectList(items, room, getSelectListTheme(this.#theme));
      list.onSelect = ({ value }) => done(value);
      list.onCancel = () => done(undefined);
      const framed = new Framed(
        list,
        (width) => this.#head(title, width, opts),
        (width) => [this.#keys(width, keyText("tui.select.confirm"), "esc")],
      );
      const press = framed.handleInput.bind(framed);
      framed.handleInput = (data) => {
        const chosen = Object.entries(keys).find(([key]) => data === key)?.[1];
        if (chosen === undefined) press(data);
        else done(chosen);
      };
      return framed;
    }, opts);
  }

  #head(title: string, width: number, { from }: Options): string[] {
    const theme = this.#theme;
    const [first = "", ...rest] = safeText(title).trim().split("\n");
    const most = Math.max(3, Math.floor(this.#tui.terminal.rows * SHARE_OF_SCREEN));
    const waiting = this.#queue.count > 1 ? `  (${this.#queue.count - 1} more wait)` : "";
    const who = from === undefined ? "" : `  ${from}`;
    const body = rest.flatMap((line) => wrapTextWithAnsi(line, width));
    const shown = body.slice(0, most);
    const left = body.length - shown.length;
    return [
      theme.fg("borderAccent", "─".repeat(width)),
      ...wrapTextWithAnsi(theme.bold(first) + theme.fg("dim", who + waiting), width),
      ...shown,
      ...(left > 0 ? [this.#dim(`… ${left} more lines`, width)] : []),
    ];
  }

  #keys(width: number, confirm: string, cancel: string): string {
    return this.#dim(`${confirm}: choose, ${cancel}: cancel`, width);
  }

  #dim(text: string, width: number): string {
    return this.#theme.fg("dim", truncateToWidth(text, width, "…"));
  }
}

const SHORT_YES_NO: Readonly<Record<string, string>> = { y: "yes", n: "no" };
