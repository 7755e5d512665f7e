import { signal } from "@preact/signals";

const THEMES = ["auto", "light", "dark"] as const;
type Theme = (typeof THEMES)[number];

const KEY = "seam-theme";

/** Which colours the person wants; `auto`: those of the system. */
export const theme = signal<Theme>(kept());

function kept(): Theme {
  try {
    return THEMES.find((one) => one === localStorage.getItem(KEY)) ?? "auto";
  } catch {
    return "auto";
  }
}

export function showTheme(): void {
  document.documentElement.dataset.theme = theme.value;
}

export function nextTheme(): void {
  theme.value = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length] ?? "auto";
  showTheme();
  try {
    localStorage.setItem(KEY, theme.value);
  } catch {
    // A browser that keeps nothing shows it until the page is closed.
  }
}
