import {
  type Component,
  keyText,
  liveTheme,
  type Terminal,
  TerminalScreen,
  type Theme,
  truncateToWidth,
} from "../../terminal/index.ts";
import { DialogQueue } from "../dialogs/dialog.ts";
import { Dialogs } from "../dialogs/dialogs.ts";
import { Look } from "../look/look.ts";
import { Transcript } from "../transcript/transcript.ts";
import { Working } from "./working-indicator.ts";

/** The rows that the transcript keeps, however much stands below it. */
const FEWEST_ROWS = 2;

/** From this height on there is room for an empty line above the editor. */
const ROOMY_ROWS = 16;

/** What stands in a place until somebody puts something else there. */
type Lines = (width: number) => readonly string[];

/** The screen and its places: transcript above; working line, widgets, editor or dialog, footer below. */
export class Stage {
  readonly screen: TerminalScreen;
  readonly theme: Theme = liveTheme();
  readonly look: Look;
  readonly transcript: Transcript;
  readonly #isFullscreen: boolean;
  readonly working: Working;
  readonly queue: DialogQueue;
  readonly dialogs: Dialogs;
  /** By key; in the order in which they came. */
  readonly above = new Map<string, Component>();
  readonly below = new Map<string, Component>();
  /** Messages that wait for the agent. */
  waiting: Lines = () => [];
  footer: Lines = () => [];
  /** Is called before each frame. */
  beforeDrawing = (): void => {};
  #editor: Component;
  #custom: Component[] = [];

  constructor(terminal: Terminal, onError: (thrown: unknown) => void, fullscreen = true) {
    this.#isFullscreen = fullscreen;
    const transcript = new Transcript({ scrollback: !fullscreen });
    this.transcript = transcript;
    this.screen = new TerminalScreen(terminal, {
      layout: (columns, rows) => this.#layout(columns, rows),
      onError,
      ...(!fullscreen && {
        scrollback: {
          scrolledOff: () => transcript.scrolledOff(),
          rest: (columns) => transcript.rest(columns),
        },
      }),
    });
    this.look = new Look(() => {
      this.transcript.invalidate();
      this.screen.requestRender();
    });
    this.working = new Working(this.screen, this.theme);
    this.queue = new DialogQueue({
      theme: this.theme,
      requestRender: () => this.screen.requestRender(),
      onChange: () => this.refocus(),
    });
    this.dialogs = new Dialogs(this.queue, this.screen, this.theme);
    this.#editor = { render: () => [], invalidate() {} };
  }

  get editor(): Component {
    return this.#editor;
  }

  set editor(editor: Component) {
    this.#editor = editor;
    this.refocus();
  }

  /** Whether the editor itself has the keyboard, and no dialog or component of an extension. */
  get isEditing(): boolean {
    return this.#front() === this.#editor;
  }

  /** How many lines something below the transcript may have. */
  readonly room = (): number => Math.max(1, this.screen.terminal.rows - FEWEST_ROWS - 4);

  /** How many lines a component may have that stands in the place of the editor, or above all. */
  readonly wholeRoom = (): number => Math.max(1, this.screen.terminal.rows - 2);

  /** Puts a component in the place of the editor. The function returned takes it away again. */
  showInstead(component: Component): () => void {
    this.#custom.push(component);
    this.refocus();
    return () => {
      this.#custom = this.#custom.filter((one) => one !== component);
      this.refocus();
    };
  }

  /** The keyboard belongs to the dialog in front, else to what stands in the editor's place. */
  refocus(): void {
    if (!this.screen.hasOverlay()) this.screen.setFocus(this.#front());
    this.screen.requestRender();
  }

  #front(): Component {
    return this.queue.current ?? this.#custom.at(-1) ?? this.#editor;
  }

  #layout(columns: number, rows: number): string[] {
    this.beforeDrawing();
    const draw = (component: Component) => component.render(columns);
    const front = draw(this.#front());
    // What has the keyboard counts most on a small terminal; a game or a form may have the whole screen.
    const fewest = this.#custom.length > 0 ? 0 : FEWEST_ROWS;
    const kept = Math.max(0, Math.min(fewest, rows - Math.max(1, front.length)));
    const under = [...[...this.below.values()].flatMap(draw), ...this.footer(columns)];
    const below = [
      ...(rows >= ROOMY_ROWS ? [""] : []),
      ...this.waiting(columns),
      ...this.working.render(columns),
      ...[...this.above.values()].flatMap(draw),
      ...front,
      ...under.slice(0, Math.max(0, rows - kept - front.length)),
    ];
    const room = Math.max(kept, rows - below.length);
    if (room === 0) return below.slice(-rows);
    const shown = this.transcript.window(columns, room);
    const isBelowText = !this.#isFullscreen && this.transcript.isFollowing;
    // As on any command line: what is typed stands right below what was said.
    if (isBelowText) return [...shown, ...below.slice(-(rows - shown.length))];
    while (shown.length < room) shown.push("");
    if (!this.transcript.isFollowing) shown[room - 1] = this.#moreBelow(columns);
    return [...shown, ...below.slice(-(rows - room))];
  }

  #moreBelow(columns: number): string {
    const count = this.transcript.newLines();
    const text = count > 0 ? `↓ ${count} new ${count === 1 ? "line" : "lines"}` : "↓ more below";
    return this.theme.fg(
      "accent",
      truncateToWidth(`${text}, ${keyText("app.scroll.end")} goes there`, columns, "…"),
    );
  }
}
