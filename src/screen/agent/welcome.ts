import { type Component, keyText, type Theme, truncateToWidth } from "../../terminal/index.ts";

/** What is said at the top of a session. */
export function welcome(theme: Theme, version: string): Component {
  return {
    render: (width) =>
      [
        theme.bold(theme.fg("accent", `seam ${version}`)),
        theme.fg(
          "dim",
          `/ commands  @ files  ! shell  ${keyText("app.tools.expand")} whole tool calls  /hotkeys all keys`,
        ),
      ].map((line) => truncateToWidth(line, width, "…")),
    invalidate() {},
  };
}
