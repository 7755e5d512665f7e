import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { handOver } from "./hand-over.ts";

/** Lets the user edit a text in the editor of their choice. Undefined: it failed, the text stays. */
export async function editOutside(
  text: string,
  screen: { stop(): void; start(): void },
): Promise<string | undefined> {
  const command = process.env.VISUAL || process.env.EDITOR || "vi";
  const folder = mkdtempSync(join(tmpdir(), "seam-prompt-"));
  const file = join(folder, "prompt.md");
  writeFileSync(file, text, { mode: 0o600 });
  try {
    // The variable may hold arguments too: "code --wait".
    const line = ["/bin/sh", "-c", `${command} "$1"`, "seam", file];
    const code = await handOver(screen, line);
    return code === 0 ? readFileSync(file, "utf8").replace(/\n$/, "") : undefined;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
