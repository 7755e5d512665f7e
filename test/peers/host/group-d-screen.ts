/** Examples that are made for the terminal: their factories get the terminal room's objects. */
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, vi } from "vitest";
import type { AutocompleteProvider } from "../../../src/terminal/index.ts";
import { getEditorTheme, visibleWidth } from "../../../src/terminal/index.ts";
import { pretendNetwork } from "./network.ts";
import { prove, unproven } from "./proofs.ts";
import { KEYS, keybindings, plain } from "./screen.ts";
import { folder, git, onSeam, put, type Stage, setEnv } from "./stage.ts";

function fits(lines: readonly string[]): string {
  expect(lines.length).toBeGreaterThan(0);
  for (const line of lines) expect(visibleWidth(line)).toBeLessThanOrEqual(80);
  return plain(lines);
}

function editorOf({ person }: Stage) {
  const factory = person.ui.getEditorComponent();
  if (!factory) throw new Error("No editor was set.");
  return factory(person.screen, getEditorTheme(), keybindings());
}

prove("D", "custom-footer", "the footer draws tokens, model and branch; off again", async () => {
  const stage = await onSeam("custom-footer", {
    turns: [{ text: "Hi.", usage: { input: 1500, output: 20 } }],
    answers: [],
  });
  await stage.prompt("Hello.");
  await stage.prompt("/footer");
  const footer = stage.person.footer?.(stage.person.screen, stage.person.ui.theme, {
    getGitBranch: () => "main",
    getExtensionStatuses: () => new Map(),
    getAvailableProviderCount: () => 1,
    onBranchChange: () => () => {},
  });
  expect(fits(footer?.render(80) ?? [])).toMatch(/^↑1\.5k ↓20 \$0\.000 +script \(main\)$/);
  footer?.dispose?.();
  await stage.prompt("/footer");
  expect(stage.person.footer).toBeUndefined();
  return stage;
});

prove("D", "custom-header", "the header draws the mascot and Pi's version; off again", async () => {
  const stage = await onSeam("custom-header", { answers: [] });
  const header = stage.person.header?.(stage.person.screen, stage.person.ui.theme);
  expect(fits(header?.render(80) ?? [])).toContain("v0.74.2");
  await stage.prompt("/builtin-header");
  expect(stage.person.header).toBeUndefined();
  return stage;
});

prove("D", "border-status-editor", "the editor's border shows model, context, branch", async () => {
  const stage = await onSeam("border-status-editor", {
    turns: [{ text: "Hi.", usage: { input: 50_000, output: 0 } }],
    git: true,
    answers: [],
  });
  await stage.prompt("Hello.");
  const editor = editorOf(stage);
  for (const key of "abc") editor.handleInput(key);
  expect(editor.getText()).toBe("abc");
  await vi.waitFor(() => {
    const lines = fits(editor.render(80));
    expect(lines).toContain("scripted/script · off");
    expect(lines).toContain("ctx 25%/200k");
  });
  const footer = stage.person.footer?.(stage.person.screen, stage.person.ui.theme, {
    getGitBranch: () => null,
    getExtensionStatuses: () => new Map(),
    getAvailableProviderCount: () => 0,
    onBranchChange: () => () => {},
  });
  expect(footer?.render(80)).toEqual([]);
  return stage;
});

prove("D", "modal-editor", "escape and i switch the mode; keys move or write", async () => {
  const stage = await onSeam("modal-editor", { answers: [] });
  const editor = editorOf(stage);
  for (const key of ["a", "b", "c"]) editor.handleInput(key);
  expect(fits(editor.render(80))).toContain(" INSERT ");
  for (const key of [KEYS.escape, "h", "x", "z"]) editor.handleInput(key);
  expect(fits(editor.render(80))).toContain(" NORMAL ");
  expect(editor.getText()).toBe("ab");
  for (const key of ["i", "d"]) editor.handleInput(key);
  expect(editor.getText()).toBe("abd");
  return stage;
});

prove("D", "rainbow-editor", "the word ultrathink is coloured and shines", async () => {
  const stage = await onSeam("rainbow-editor", { answers: [] });
  const editor = editorOf(stage);
  onTestFinished(() => editor.handleInput("\u0015"));
  for (const key of "ultrathink") editor.handleInput(key);
  expect(fits(editor.render(80))).toContain("ultrathink");
  expect(editor.render(80).join("")).toContain("\u001b[38;2;");
  const first = editor.render(80).join("");
  await vi.waitFor(() => expect(editor.render(80).join("")).not.toBe(first));
  return stage;
});

prove(
  "D",
  "github-issue-autocomplete",
  "outside GitHub it says so; inside, #… proposes issues (a stand-in for gh)",
  async () => {
    const elsewhere = await onSeam("github-issue-autocomplete", { git: true, answers: [] });
    expect(elsewhere.notifications()[0]).toContain("cwd is not a GitHub repository");
    const bin = folder("bin");
    const issues = [{ number: 7, title: "Loom jams", state: "OPEN" }];
    put(join(bin, "gh"), `#!/bin/sh\necho '${JSON.stringify(issues)}'\n`);
    chmodSync(join(bin, "gh"), 0o755);
    setEnv({ PATH: `${bin}:${process.env.PATH}` });
    const cwd = folder("github");
    git(cwd, "init", "--quiet");
    git(cwd, "remote", "add", "origin", "https://github.com/a/b.git");
    const stage = await onSeam("github-issue-autocomplete", { cwd, answers: [] });
    const rest: AutocompleteProvider = {
      getSuggestions: async () => null,
      applyCompletion: (lines, cursorLine, cursorCol) => ({ lines, cursorLine, cursorCol }),
    };
    const provider = stage.person.autocomplete[0]?.(rest);
    const { signal } = new AbortController();
    const found = await provider?.getSuggestions(["See #loo"], 0, 8, { signal, force: false });
    expect(found).toEqual({
      prefix: "#loo",
      items: [{ value: "#7", label: "#7", description: "[open] Loom jams" }],
    });
    expect(await provider?.getSuggestions(["See"], 0, 3, { signal, force: false })).toBeNull();
    return [elsewhere, stage];
  },
);

prove(
  "D",
  "mac-system-theme",
  "a theme is chosen at the start: light, as this is no Mac",
  async () => {
    const stage = await onSeam("mac-system-theme", { answers: [] });
    expect(stage.person.themes).toEqual(["light"]);
    return stage;
  },
);

prove(
  "D",
  "interactive-shell",
  "nobody there: !vim gets a result with exit code 1; otherwise the terminal is handed over",
  async () => {
    const alone = await onSeam("interactive-shell");
    const refused = await alone.agent.bash("vim notes.txt");
    expect(refused).toMatchObject({ output: "(interactive commands require TUI)", exitCode: 1 });
    const usual = await alone.agent.bash("echo woven");
    expect(usual).toMatchObject({ exitCode: 0 });
    expect(usual.output).toContain("woven");
    const stage = await onSeam("interactive-shell", { answers: [] });
    const spy = vi.spyOn(process.stdout, "write").mockImplementation(() => true);
    onTestFinished(() => spy.mockRestore());
    const ran = await stage.agent.bash("i exit 4");
    spy.mockRestore();
    expect(ran).toMatchObject({ output: "(interactive command exited with code 4)", exitCode: 4 });
    expect(stage.person.screen.calls.slice(0, 3)).toEqual(["stop", "start", "requestRender"]);
    return [alone, stage];
  },
);

prove("D", "snake", "frames change while it runs, keys pause it, the game is saved", async () => {
  const stage = await onSeam("snake", {
    answers: [],
    keys: [[250, KEYS.down, 250, KEYS.escape], [KEYS.escape]],
  });
  await stage.prompt("/snake");
  const frames = stage.person.shown[0]?.frames.map(fits) ?? [];
  expect(frames[0]).toContain("SNAKE");
  expect(new Set(frames).size).toBeGreaterThan(2);
  expect(stage.entries()).toMatchObject([{ type: "custom", customType: "snake-save" }]);
  return stage;
});

prove("D", "space-invaders", "frames change while it runs, the game is saved", async () => {
  const stage = await onSeam("space-invaders", {
    answers: [],
    keys: [[100, KEYS.left, 300, KEYS.space, 300, 300, KEYS.escape]],
  });
  await stage.prompt("/invaders");
  const frames = stage.person.shown[0]?.frames.map(fits) ?? [];
  expect(new Set(frames).size).toBeGreaterThan(2);
  expect(stage.entries()).toMatchObject([{ type: "custom", customType: "space-invaders-save" }]);
  return stage;
});

prove(
  "D",
  "overlay-test",
  "the overlay is drawn, keys write into its field, Enter submits",
  async () => {
    const stage = await onSeam("overlay-test", {
      answers: [],
      keys: [[..."wool", KEYS.enter]],
    });
    await stage.prompt("/overlay-test");
    expect(stage.person.shown[0]?.options?.overlay).toBe(true);
    expect(fits(stage.person.shown[0]?.frames.at(-1) ?? [])).toContain("wool");
    expect(stage.notifications()).toEqual(['Search: "wool"']);
    return stage;
  },
);

prove(
  "D",
  "overlay-qa-tests",
  "each of its 13 overlays is drawn and closes with Escape",
  async () => {
    const steps = Array.from({ length: 60 }, () => [20, KEYS.escape]);
    const stage = await onSeam("overlay-qa-tests", { answers: [], keys: steps });
    const names = stage.agent.extensions.commands().map(({ invocationName }) => invocationName);
    expect(names).toHaveLength(13);
    for (const name of names) {
      const before = stage.person.shown.length;
      await stage.prompt(`/${name}`);
      const shown = stage.person.shown.slice(before);
      expect([name, shown.length > 0]).toEqual([name, true]);
      for (const { frames, options } of shown) {
        expect(options?.overlay).toBe(true);
        fits(frames[0] ?? []);
      }
    }
    return stage;
  },
);

prove("D", "doom-overlay", "loads; without the game's data file it says so", async () => {
  pretendNetwork(() => new Response("", { status: 503 }));
  const stage = await onSeam("doom-overlay", { answers: [] });
  await stage.prompt("/doom-overlay");
  expect(stage.notifications()).toEqual([
    "Loading DOOM...",
    "Failed to download DOOM WAD file. Check your internet connection.",
  ]);
  return stage;
});
unproven("D", "doom-overlay", "the game itself: it needs a file from the network");

unproven("D", "mac-system-theme", "following a Mac's appearance");
