import {
  call,
  calls,
  component,
  GIF,
  get,
  MARKDOWN,
  make,
  own,
  PNG,
  type Probes,
  SELECT,
  same,
  shown,
  tell,
  tui,
} from "./kit.ts";

const JPEG = "/9j/4AAQSkZJRgABAQEASABIAAD/wAALCAABAAIBAREA/9k=";
const WEBP = "UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==";
const items = [
  { value: "a", label: "Alpha", description: "The first" },
  { value: "b", label: "Beta" },
  { value: "c", label: "Gamma", description: "The third" },
];
const settings = [
  { id: "a", label: "Alpha", currentValue: "on", values: ["on", "off"], description: "First" },
  { id: "b", label: "Beta", currentValue: "x" },
];
const SETTINGS = { label: same, value: same, description: same, cursor: "> ", hint: same };
const TEXT = `# Title

Some *words* with \`code\`, a [link](https://example.com) and **more** of them, long enough to wrap.

- one
- two
  - three

1. first
2. second

> quoted

\`\`\`ts
const a = 1;
\`\`\`

| a | b |
|---|---|
| 1 | 2 |

---
`;
const DOWN = "\u001b[B";
const line = (text: string) => ({ render: () => [text], invalidate: () => {} });

export const TUI: Probes = {
  Text: component([
    "Some words that are long enough to be wrapped into two lines at this width.",
    1,
    1,
  ]),
  TruncatedText: component([
    "Some words that are too long to stand in one line at this width, cut.",
    1,
    0,
  ]),
  Spacer: component([2]),
  Box: (value, { Text }) => {
    const box = make(value, 1, 1, (text: string) => `[${text}]`);
    tell(box, "addChild", make(Text, "inside"));
    const first = shown(box);
    tell(box, "clear");
    return [first, shown(box)];
  },
  Container: (value, { Text }) => {
    const container = make(value);
    const one = make(Text, "one");
    tell(container, "addChild", one);
    tell(container, "addChild", make(Text, "two"));
    const first = shown(container);
    tell(container, "removeChild", one);
    return [first, shown(container)];
  },
  Markdown: component([TEXT, 1, 1, MARKDOWN]),
  Marked: (value) => tell(make(value), "parse", "*a*"),
  Input: async (value) => {
    const input = make(value);
    const said: unknown[] = [];
    Reflect.set(input, "onSubmit", (text: string) => said.push(text));
    for (const key of ["h", "i", "!", "\u007f", "\u001b[D", "o"]) tell(input, "handleInput", key);
    const before = [shown(input), tell(input, "getValue")];
    tell(input, "handleInput", "\r");
    return [...before, said];
  },
  Editor: async (value) => {
    const editor = make(value, tui, { borderColor: same, selectList: SELECT });
    const said: unknown[] = [];
    Reflect.set(editor, "onSubmit", (text: string) => said.push(text));
    for (const key of ["h", "e", "y", "\u001b[13;2u", "y", "o", "u"])
      tell(editor, "handleInput", key);
    const before = [
      shown(editor),
      tell(editor, "getText"),
      tell(editor, "getCursor"),
      tell(editor, "getLines"),
    ];
    tell(editor, "handleInput", "\r");
    return [...before, said, tell(editor, "getText")];
  },
  SelectList: component([items, 2, SELECT], DOWN, DOWN),
  SettingsList: component(
    () => [structuredClone(settings), 5, SETTINGS, () => {}, () => {}],
    "\r",
    DOWN,
  ),
  Loader: component([tui, same, same, "Working …"]),
  CancellableLoader: (value) => {
    const loader = make(value, tui, same, same, "Working …");
    const first = shown(loader);
    let aborted = 0;
    Reflect.set(loader, "onAbort", () => aborted++);
    tell(loader, "handleInput", "\u001b");
    const after = [get(loader, "aborted"), get(get(loader, "signal"), "aborted"), aborted];
    tell(loader, "dispose");
    return [first, after];
  },
  Image: (value, module) => {
    call(module.setCapabilities, { images: null, trueColor: true, hyperlinks: false });
    const image = make(value, PNG, "image/png", { fallbackColor: same }, { filename: "a.png" });
    const without = shown(image);
    call(module.setCapabilities, { images: "iterm2", trueColor: true, hyperlinks: false });
    const drawn = make(value, PNG, "image/png", { fallbackColor: same }, { maxWidthCells: 4 });
    const with_ = shown(drawn);
    call(module.resetCapabilitiesCache);
    return [without, with_];
  },
  HStack: (value) => shown(make(value, [line("a"), { component: line("b"), grow: 1 }], { gap: 2 })),
  VStack: (value) => shown(make(value, [line("a"), line("b")], { gap: 1 })),
  MouseRegion: (value) => {
    const heard: unknown[] = [];
    const region = make(
      value,
      line("press"),
      (event: { type: string }) => void heard.push(event.type),
    );
    const first = shown(region);
    tell(region, "handleMouse", { type: "press", button: "left", x: 0, y: 0, row: 0, column: 0 });
    return [first, heard];
  },
  ScrollView: (value) => {
    const view = make(value, { render: () => ["1", "2", "3", "4", "5"], invalidate: () => {} });
    const first = shown(view);
    tell(view, "updateLayout", 5, 2, () => {});
    tell(view, "scrollBy", 2);
    const top = get(view, "scrollTop");
    tell(view, "scrollToEnd");
    return [first, top, get(view, "scrollTop"), get(view, "viewportHeight")];
  },
  CombinedAutocompleteProvider: async (value) => {
    const provider = make(value, [{ name: "help", description: "Shows help" }], "/", null);
    const signal = new AbortController().signal;
    const found = await tell(provider, "getSuggestions", ["/he"], 0, 3, { signal });
    const item = { value: "help", label: "help" };
    return [found, tell(provider, "applyCompletion", ["/he"], 0, 3, item, "/he")];
  },
  KeybindingsManager: (value, { TUI_KEYBINDINGS }) => {
    const keys = make(value, TUI_KEYBINDINGS, { "tui.select.up": "ctrl+p" });
    return [
      tell(keys, "matches", "\u0010", "tui.select.up"),
      tell(keys, "matches", "\u001b[A", "tui.select.up"),
      tell(keys, "getKeys", "tui.select.up"),
      tell(keys, "getKeys", "tui.select.confirm"),
    ];
  },
  getKeybindings: (value) => tell(call(value), "matches", "\r", "tui.select.confirm"),
  setKeybindings: (value, { getKeybindings, KeybindingsManager, TUI_KEYBINDINGS }) => {
    const before = call(getKeybindings);
    call(value, make(KeybindingsManager, TUI_KEYBINDINGS, { "tui.select.up": "k" }));
    const heard = tell(call(getKeybindings), "matches", "k", "tui.select.up");
    call(value, before);
    return [heard, tell(call(getKeybindings), "matches", "k", "tui.select.up")];
  },
  ProcessTerminal: (value) => {
    const terminal = make(value);
    return [
      typeof get(terminal, "columns"),
      typeof get(terminal, "rows"),
      get(terminal, "kittyProtocolActive"),
    ];
  },
  decodeKittyPrintable: calls(["\u001b[97u"], ["\u001b[97;2u"], ["\u001b[97;5u"], ["a"]),
  isKittyProtocolActive: calls([]),
  setKittyProtocolActive: (value, { isKittyProtocolActive }) => {
    call(value, true);
    const on = call(isKittyProtocolActive);
    call(value, false);
    return [on, call(isKittyProtocolActive)];
  },
  allocateImageId: own("each one counts from a number of its own", true, (value) => {
    const [one, other] = [call(value), call(value)];
    return typeof one === "number" && one !== other;
  }),
  deleteAllKittyImages: calls([]),
  deleteKittyImage: calls([7]),
  detectCapabilities: (value) => Object.keys(Object(call(value))).sort(),
  encodeKitty: calls(["QUJD", { columns: 2, rows: 1, imageId: 7 }], ["QUJD"]),
  getCapabilities: (value) => Object.keys(Object(call(value))).sort(),
  setCapabilities: (value, { getCapabilities, resetCapabilitiesCache }) => {
    call(value, { images: "kitty", trueColor: true, hyperlinks: true });
    const set = call(getCapabilities);
    call(resetCapabilitiesCache);
    return set;
  },
  setCapabilityOverrides: (value, { getCapabilities, resetCapabilitiesCache }) => {
    call(value, { images: "iterm2", hyperlinks: true });
    call(resetCapabilitiesCache);
    const { images, hyperlinks } = Object(call(getCapabilities)) as Record<string, unknown>;
    call(value, {});
    return [images, hyperlinks];
  },
  resetCapabilitiesCache: (value, { setCapabilities, getCapabilities }) => {
    call(setCapabilities, { images: "kitty", trueColor: true, hyperlinks: true });
    call(value);
    return get(call(getCapabilities), "images");
  },
  getCellDimensions: (value, { setCellDimensions }) => {
    call(setCellDimensions, { widthPx: 9, heightPx: 18 });
    return call(value);
  },
  setCellDimensions: (value, { getCellDimensions }) => {
    call(value, { widthPx: 10, heightPx: 20 });
    const set = call(getCellDimensions);
    call(value, { widthPx: 9, heightPx: 18 });
    return set;
  },
  getGifDimensions: calls([GIF], ["nope"]),
  getJpegDimensions: calls([JPEG], ["nope"]),
  getWebpDimensions: calls([WEBP], ["nope"]),
  renderImage: (value, { setCapabilities, resetCapabilitiesCache }) => {
    call(setCapabilities, { images: null, trueColor: true, hyperlinks: false });
    const none = call(value, PNG, { widthPx: 100, heightPx: 50 });
    call(setCapabilities, { images: "iterm2", trueColor: true, hyperlinks: false });
    const some = call(value, PNG, { widthPx: 100, heightPx: 50 }, { maxWidthCells: 10 });
    call(resetCapabilitiesCache);
    return [none, get(some, "sequence"), get(some, "rows")];
  },
  getNativeClipboard: (value) => typeof call(value),
  parseOsc11BackgroundColor: calls(
    ["\u001b]11;rgb:1e1e/1e1e/2e2e\u0007"],
    ["\u001b]11;rgb:ff/ff/ff\u001b\\"],
    ["a"],
  ),
  parseTerminalColorSchemeReport: calls(["\u001b[?997;1n"], ["\u001b[?997;2n"], ["a"]),
  compositeTuiLine: calls(["0123456789", "ab", 3, 2, 10], ["日本語", "x", 1, 1, 8]),
  isViewportTUI: calls([tui], [{ ...tui, mode: "altScreen" }]),
  getOsc8LinkAtColumn: calls(
    ["a\u001b]8;;https://example.com\u0007link\u001b]8;;\u0007b", 2],
    ["a\u001b]8;;https://example.com\u0007link\u001b]8;;\u0007b", 5],
  ),
  sliceByColumn: calls(
    ["0123456789", 2, 4],
    ["\u001b[31m日本語\u001b[0m", 2, 3],
    ["\u001b[31m日本語\u001b[0m", 1, 3, true],
  ),
  stripTerminalSequences: calls(["\u001b[31ma\u001b[0m\u001b]8;;x\u0007b\u001b]8;;\u0007c\u0007"]),
};
