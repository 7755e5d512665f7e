/** What the terminal can show beside text. */
export interface TerminalCapabilities {
  images: "kitty" | "iterm2" | null;
  trueColor: boolean;
  hyperlinks: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Terminals by how they make themselves known. The first that fits counts. */
const KNOWN: readonly (readonly [is: (env: Environment) => boolean, can: TerminalCapabilities])[] =
  [
    // A multiplexer passes on colours, and pictures only when it was told to.
    [
      ({ TMUX, TERM = "" }) => TMUX !== undefined || /^(tmux|screen)/.test(TERM),
      { images: null, trueColor: true, hyperlinks: false },
    ],
    [
      ({ KITTY_WINDOW_ID, TERM_PROGRAM, TERM = "" }) =>
        KITTY_WINDOW_ID !== undefined ||
        /^(ghostty|WezTerm)$/.test(TERM_PROGRAM ?? "") ||
        /kitty|ghostty/.test(TERM),
      { images: "kitty", trueColor: true, hyperlinks: true },
    ],
    [
      ({ TERM_PROGRAM, ITERM_SESSION_ID }) =>
        TERM_PROGRAM === "iTerm.app" || ITERM_SESSION_ID !== undefined,
      { images: "iterm2", trueColor: true, hyperlinks: true },
    ],
    [
      ({ TERM_PROGRAM, WT_SESSION, VTE_VERSION, TERM = "" }) =>
        TERM_PROGRAM === "vscode" ||
        WT_SESSION !== undefined ||
        VTE_VERSION !== undefined ||
        /alacritty|foot/.test(TERM),
      { images: null, trueColor: true, hyperlinks: true },
    ],
  ];

let cached: TerminalCapabilities | undefined;
let overrides: Partial<TerminalCapabilities> = {};

/** Looks at the environment; a terminal nobody knows is taken to show text in few colours. */
export function detectCapabilities(env: Environment = process.env): TerminalCapabilities {
  const known = KNOWN.find(([is]) => is(env))?.[1];
  const trueColor = /^(truecolor|24bit)$/.test(env.COLORTERM ?? "");
  return { ...(known ?? { images: null, trueColor, hyperlinks: false }), ...overrides };
}

export function getCapabilities(): TerminalCapabilities {
  cached ??= detectCapabilities();
  return cached;
}

export function resetCapabilitiesCache(): void {
  cached = undefined;
}

export function setCapabilities(capabilities: TerminalCapabilities): void {
  cached = capabilities;
}

/** What counts before everything that was found out. */
export function setCapabilityOverrides(given: Partial<TerminalCapabilities>): void {
  overrides = { ...given };
  cached = undefined;
}
