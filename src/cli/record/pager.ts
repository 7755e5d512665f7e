import { spawn } from "node:child_process";
import { visibleWidth } from "../../terminal/index.ts";
import { waitForProgram } from "../wait-for-program.ts";

/** Prints lines: through the user's pager where a person would have to scroll. */
export async function printLong(lines: readonly string[]): Promise<void> {
  const text = `${lines.join("\n")}\n`;
  const { stdout } = process;
  const pager = process.env.SEAM_PAGER ?? process.env.PAGER ?? "less";
  const isPaged = stdout.isTTY && process.env.TERM !== "dumb" && rowsOf(lines) >= stdout.rows;
  if (!isPaged || pager === "" || pager === "cat") {
    stdout.write(text);
    return;
  }
  // What git gives less as well: colours, no pager for a page that fits, and it stays on the screen.
  const env = { LESS: "FRX", LV: "-c", ...process.env };
  const child = spawn(pager, { shell: true, stdio: ["pipe", "inherit", "inherit"], env });
  // The user may leave before the end.
  child.stdin.on("error", () => {});
  child.stdin.end(text);
  // 127: there is no such pager.
  if ((await waitForProgram(child)) === 127) stdout.write(text);
}

/** Rows that lines take on the screen; the long ones take several. */
function rowsOf(lines: readonly string[]): number {
  const columns = process.stdout.columns || 80;
  let rows = 0;
  for (const line of lines) rows += Math.max(1, Math.ceil(visibleWidth(line) / columns));
  return rows;
}
