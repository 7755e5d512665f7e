import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { CURSOR_MARKER } from "../component.ts";
import { getEditorTheme } from "../component-themes.ts";
import { Container } from "../components/container.ts";
import { getKeybindings } from "../keys/keybindings.ts";
import { visibleWidth } from "../text/width.ts";
import { plainTheme } from "../theme/theme.ts";
import type { TUI } from "../tui.ts";
import type { AutocompleteProvider } from "./autocomplete-provider.ts";
import { CustomEditor } from "./custom-editor.ts";
import { Editor } from "./editor.ts";

const UP = "\u001b[A";
const DOWN = "\u001b[B";
const RIGHT = "\u001b[C";
const LEFT = "\u001b[D";
const SHIFT_ENTER = "\u001b[13;2u";
const ENTER = "\r";
const paste = (text: string) => `\u001b[200~${text}\u001b[201~`;
const theme = getEditorTheme(plainTheme());

function unused(): never {
  throw new Error("an editor does not use this");
}

/** A screen that is never drawn: the editor only asks it for its height and for a redraw. */
function screen(): TUI {
  return Object.assign(new Container(), {
    terminal: {
      ...{ rows: 24, columns: 80, kittyProtocolActive: false },
      ...{ start: unused, stop: unused, drainInput: unused, write: unused, moveBy: unused },
      ...{ hideCursor: unused, showCursor: unused, clearLine: unused, clearFromCursor: unused },
      ...{ clearScreen: unused, setTitle: unused, setProgress: unused },
    },
    requestRender: vi.fn(),
    fullRedraws: 0,
    ...{ start: unused, stop: unused, setFocus: unused, showOverlay: unused, hideOverlay: unused },
    ...{ hasOverlay: unused, addInputListener: unused, removeInputListener: unused },
    ...{ getShowHardwareCursor: unused, setShowHardwareCursor: unused },
    ...{ getClearOnShrink: unused, setClearOnShrink: unused },
  });
}

function type(editor: Editor, ...keys: string[]): Editor {
  for (const key of keys) editor.handleInput(key);
  return editor;
}

const edited = (...keys: string[]) => type(new Editor(screen(), theme), ...keys).getText();
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe("editing", () => {
  test("enter submits the trimmed text and empties the editor", () => {
    const editor = new Editor(screen(), theme);
    const seen: string[] = [];
    editor.onChange = (text) => seen.push(`change ${text}`);
    editor.onSubmit = (text) => seen.push(`submit ${text}`);
    type(editor, "a", " ", ENTER);
    expect(seen).toEqual(["change a", "change a ", "change ", "submit a"]);
    expect(editor.getText()).toBe("");
  });

  test("nothing is submitted while that is switched off", () => {
    const editor = new Editor(screen(), theme);
    editor.onSubmit = vi.fn();
    editor.disableSubmit = true;
    type(editor, "a", ENTER);
    expect(editor.onSubmit).not.toHaveBeenCalled();
    expect(editor.getText()).toBe("a");
  });

  test.each([SHIFT_ENTER, "\n", "\u001b\r", "\u001b[27;2;13~"])("%j begins a new line", (key) => {
    expect(edited("a", key, "b")).toBe("a\nb");
  });

  test("a backslash before enter begins a new line as well", () => {
    expect(edited("a\\", ENTER, "b")).toBe("a\nb");
  });

  test("characters of several code points are one step for the cursor and for backspace", () => {
    expect(edited("x👍🏽y", LEFT, "\u007f")).toBe("xy");
    expect(edited("e\u0301z", LEFT, LEFT, "a")).toBe("ae\u0301z");
  });

  test("backspace at the start of a line joins it with the one above", () => {
    expect(edited("a", "\n", "b", "\u0001", "\u007f")).toBe("ab");
  });

  test("words are jumped over and deleted, signs apart from letters", () => {
    expect(edited("foo.bar baz", "\u001bb", "\u001bb", "|")).toBe("foo.|bar baz");
    expect(edited("foo bar", "\u0017", "\u0017", "x")).toBe("x");
    expect(edited("foo bar", "\u0001", "\u001bd")).toBe(" bar");
  });

  test("text that was cut can be put back, cuts in a row as one", () => {
    expect(edited("one two", "\u0017", "\u0017", "\u0019", "\u0019")).toBe("one twoone two");
    expect(edited("one two", "\u0001", "\u001bf", "\u000b", "\u0001", "\u0019")).toBe(" twoone");
    expect(edited("a", "\u0015", "b", "\u0015", "\u0019", "\u001by")).toBe("a");
  });

  test("undo takes back a word at a time, and a paste at once", () => {
    expect(edited("a", "b", " ", "c", "\u001f")).toBe("ab");
    expect(edited("a", "b", " ", "c", "\u001f", "\u001f")).toBe("");
    expect(edited("a", paste("b c\nd"), "\u001f")).toBe("a");
  });

  test("letting a key go types nothing", () => {
    expect(edited("\u001b[97u", "\u001b[97;1:3u")).toBe("a");
  });

  test("text may be set and inserted by the program", () => {
    const editor = new Editor(screen(), theme);
    editor.onChange = vi.fn();
    editor.setText("a\tb\r\nc\u001b");
    editor.insertTextAtCursor("!");
    expect(editor.getLines()).toEqual(["a    b", "c!"]);
    expect(editor.getCursor()).toEqual({ line: 1, col: 2 });
    expect(editor.onChange).toHaveBeenCalledTimes(2);
  });
});

describe("moving up and down", () => {
  test("goes by the rows on the screen, and comes back to its column", () => {
    const editor = new Editor(screen(), theme);
    editor.setText("long line here\nab\nlong again");
    editor.render(40);
    type(editor, UP, "-");
    expect(editor.getText()).toBe("long line here\nab-\nlong again");
    editor.setText("long line here\nab\nlong again");
    type(editor, UP, UP, "-");
    expect(editor.getText()).toBe("long line -here\nab\nlong again");
  });

  test("at the edges goes to the start and the end of the line", () => {
    expect(edited("abc", LEFT, UP, "x")).toBe("xabc");
    expect(edited("abc", "\u0001", DOWN, "x")).toBe("abcx");
  });

  test("walks through earlier prompts where there is no text", () => {
    const editor = new Editor(screen(), theme);
    for (const prompt of ["first", "second", "second", " "]) editor.addToHistory(prompt);
    const seen = [UP, UP, UP, DOWN, DOWN, DOWN].map((key) => type(editor, key).getText());
    expect(seen).toEqual(["second", "first", "first", "second", "", ""]);
    type(editor, UP, "!", UP);
    expect(editor.getText()).toBe("second!");
  });

  test("page keys move by as many rows as are shown", () => {
    const editor = new Editor(screen(), theme);
    editor.setText("0\n1\n2\n3\n4\n5\n6\n7\n8\n9");
    type(editor, "\u001b[5~");
    expect(editor.getCursor().line).toBe(2);
    type(editor, "\u001b[6~");
    expect(editor.getCursor().line).toBe(9);
  });
});

describe("pasting", () => {
  test("a paste may come in parts, with keys behind it", () => {
    expect(edited("\u001b[200~a", "b\u001b[20", "1~c")).toBe("abc");
  });

  test("a long paste is shown as a marker and submitted in full", () => {
    const editor = new Editor(screen(), theme);
    editor.onSubmit = vi.fn();
    const text = Array.from({ length: 12 }, (_, line) => `line ${line}`).join("\n");
    type(editor, paste(text));
    expect(editor.getText()).toBe("[paste #1 +12 lines]");
    expect(editor.getExpandedText()).toBe(text);
    type(editor, LEFT, "a", RIGHT, "b", ENTER);
    expect(editor.onSubmit).toHaveBeenCalledWith(`a${text}b`);
    expect(edited(paste("x".repeat(1001)), "\u007f")).toBe("");
  });

  test("a text of megabytes that comes back is one marker, however it comes, and is submitted in full", () => {
    const text = "a line of many\n".repeat(200_000).trim();
    const back: Record<string, (editor: Editor) => void> = {
      "from the history": (editor) => {
        editor.addToHistory(text);
        type(editor, UP);
      },
      "twice from the history": (editor) => {
        editor.addToHistory(text);
        type(editor, UP, DOWN, UP);
      },
      "from outside": (editor) => editor.setText(text),
      "into the text": (editor) => editor.insertTextAtCursor(text),
    };
    for (const [way, come] of Object.entries(back)) {
      const editor = new Editor(screen(), theme);
      const onSubmit = vi.fn();
      editor.onSubmit = onSubmit;
      come(editor);
      expect(editor.getText(), way).toBe("[paste #1 +200000 lines]");
      type(editor, ENTER);
      expect(onSubmit.mock.calls[0]?.[0] === text, way).toBe(true);
    }
  });

  test("a prompt of a page that comes back can be edited", () => {
    const editor = new Editor(screen(), theme);
    editor.addToHistory("a line of many\n".repeat(60));
    type(editor, UP, "x");
    expect(editor.getText()).toMatch(/^(?:a line of many\n){59}a line of manyx$/);
  });

  test("a path pasted behind a word is set apart, and control keys in a paste are line breaks", () => {
    expect(edited("see", paste("/tmp/a"))).toBe("see /tmp/a");
    expect(edited(paste("a\u001b[106;5ub"))).toBe("a\nb");
  });
});

describe("drawing", () => {
  test("the text stands between two lines, with the cursor in it", () => {
    const editor = type(new Editor(screen(), theme), "ab", LEFT);
    expect(editor.render(6)).toEqual(["──────", "a\u001b[7mb\u001b[0m    ", "──────"]);
    editor.focused = true;
    expect(editor.render(6)[1]).toContain(`a${CURSOR_MARKER}`);
  });

  test("long lines are wrapped between words", () => {
    const editor = new Editor(screen(), theme, { paddingX: 1 });
    editor.setText("one two three");
    expect(editor.render(11).slice(1, -1)).toEqual([
      " one two   ",
      " three\u001b[7m \u001b[0m    ",
    ]);
  });

  test("only some rows are shown, those around the cursor", () => {
    const editor = new Editor(screen(), theme);
    editor.setText("0\n1\n2\n3\n4\n5\n6\n7\n8\n9");
    expect(editor.render(12)[0]).toBe("─── ↑ 3 more");
    for (let step = 0; step < 9; step++) editor.handleInput(UP);
    expect(editor.render(12).at(-1)).toBe("─── ↓ 3 more");
  });

  test("no row is too wide, whatever was typed", () => {
    const word = fc.oneof(
      fc.string({ unit: "grapheme", maxLength: 6 }),
      fc.constantFrom("日本語", "👩‍👩‍👧", " ", "\n", "\t", "\u001b[31m", paste("x".repeat(1100))),
    );
    const keys = fc.array(fc.oneof(word, fc.constantFrom(UP, DOWN, LEFT, "\u0017", "\u001f")));
    fc.assert(
      fc.property(keys, fc.nat(60), fc.nat(3), (input, width, paddingX) => {
        const editor = type(new Editor(screen(), theme, { paddingX }), ...input);
        editor.focused = true;
        for (const line of editor.render(width)) {
          expect(visibleWidth(line), JSON.stringify(line)).toBeLessThanOrEqual(width);
        }
      }),
    );
  });
});

describe("autocomplete", () => {
  const commands = ["help", "hello", "quit"];
  const provider: AutocompleteProvider = {
    getSuggestions: async (lines, line, col) => {
      const prefix = /\S*$/.exec((lines[line] ?? "").slice(0, col))?.[0] ?? "";
      const names = commands.map((name) => `/${name}`).filter((name) => name.startsWith(prefix));
      return { items: names.map((name) => ({ value: name, label: name })), prefix };
    },
    applyCompletion: (lines, cursorLine, cursorCol, item, prefix) => {
      const line = lines[cursorLine] ?? "";
      const before = line.slice(0, cursorCol - prefix.length) + item.value;
      const changed = lines.with(cursorLine, before + line.slice(cursorCol));
      return { lines: changed, cursorLine, cursorCol: before.length };
    },
  };

  async function proposing(...keys: string[]): Promise<Editor> {
    const editor = new Editor(screen(), theme);
    editor.setAutocompleteProvider(provider);
    type(editor, ...keys);
    await settled();
    return editor;
  }

  test("proposals come up while a command is typed, and narrow down with it", async () => {
    const editor = await proposing("/");
    expect(editor.render(30).slice(3)).toHaveLength(3);
    type(editor, "h");
    await settled();
    expect(editor.render(30).slice(3)).toHaveLength(2);
    expect((await proposing("a", "/")).isShowingAutocomplete()).toBe(false);
  });

  test("tab takes the selected proposal", async () => {
    const editor = await proposing("/", "h");
    editor.onChange = vi.fn();
    type(editor, DOWN, "\t");
    expect(editor.getText()).toBe("/hello");
    expect(editor.onChange).toHaveBeenCalledWith("/hello");
    expect(editor.isShowingAutocomplete()).toBe(false);
  });

  test("enter takes a command and submits it", async () => {
    const editor = await proposing("/", "q");
    editor.onSubmit = vi.fn();
    type(editor, ENTER);
    expect(editor.onSubmit).toHaveBeenCalledWith("/quit");
  });

  test("escape closes the proposals and leaves the text alone", async () => {
    const editor = type(await proposing("/", "h"), "\u001b");
    expect(editor.isShowingAutocomplete()).toBe(false);
    expect(editor.getText()).toBe("/h");
  });

  test("tab asks anywhere, and takes the only proposal at once", async () => {
    const editor = await proposing("x ", "/q", "\u001b", "\t");
    expect(editor.getText()).toBe("x /quit");
  });

  test("proposals that arrive too late are dropped, and a provider may fail", async () => {
    const editor = new Editor(screen(), theme);
    const slow = { ...provider, getSuggestions: vi.fn(provider.getSuggestions) };
    editor.setAutocompleteProvider(slow);
    type(editor, "/", "\u0015");
    await settled();
    expect(editor.isShowingAutocomplete()).toBe(false);
    expect(slow.getSuggestions.mock.calls[0]?.[3].signal.aborted).toBe(true);
    slow.getSuggestions.mockRejectedValue(new Error("broken"));
    type(editor, "/");
    await settled();
    expect(editor.getText()).toBe("/");
  });
});

describe("CustomEditor", () => {
  test("keys of the agent are handled before those of the text", () => {
    const editor = new CustomEditor(screen(), theme, getKeybindings());
    const seen: string[] = [];
    editor.onEscape = () => seen.push("escape");
    editor.onCtrlD = () => seen.push("exit");
    editor.onPasteImage = () => seen.push("image");
    editor.onAction("app.model.select", () => seen.push("model"));
    editor.onExtensionShortcut = (data) => data === "\u0018";
    type(editor, "\u001b", "\u0004", "\u0016", "\f", "\u0018", "ab", "\u0001", "\u0004");
    expect(seen).toEqual(["escape", "exit", "image", "model"]);
    expect(editor.getText()).toBe("b");
  });

  test("can be extended, as an editor with modes does", () => {
    class Shouting extends CustomEditor {
      override handleInput(data: string): void {
        super.handleInput(data.toUpperCase());
        this.tui.requestRender();
      }
    }
    const tui = screen();
    expect(type(new Shouting(tui, theme, getKeybindings()), "a", "b").getText()).toBe("AB");
    expect(tui.requestRender).toHaveBeenCalledTimes(2);
  });
});
