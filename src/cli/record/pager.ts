import { spawn } from "node:child_process";
import { once } from "node:events";

/** Prints lines: through the user's pager where a person would have to scroll. */
export async function printLong(lines: readonly string[]): Promise<void> {
  const text = `${lines.join("\n")}\n`;
  const { stdout } = process;
  const pager = process.env.SEAM_PAGER ?? process.env.PAGER ?? "less";
  const isLong = stdout.isTTY && lines.length >= (stdout.rows ?? 24);
  if (!isLong || pager === "" || pager === "cat") {
    stdout.write(text);
    return;
  }
  const env = { LESS: "FRX", ...process.env };
  const child = spawn(pager, { shell: true, stdio: ["pipe", "inherit", "inherit"], env });
  // The user may leave before the end.
  child.stdin.on("error", () => {});
  child.stdin.end(text);
  const [code] = (await once(child, "close")) as [number | null];
  // 127: there is no such pager.
  if (code === 127) stdout.write(text);
}
