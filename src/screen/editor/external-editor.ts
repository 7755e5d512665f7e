import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Lets the user edit a text in the editor of their choice. Undefined: it failed, the text stays. */
export async function editOutside(
  text: string,
  screen: { stop(): void; start(): void },
): Promise<string | undefined> {
  const command = process.env.VISUAL || process.env.EDITOR || "vi";
  const folder = mkdtempSync(join(tmpdir(), "seam-prompt-"));
  const file = join(folder, "prompt.md");
  writeFileSync(file, text, { mode: 0o600 });
  screen.stop();
  try {
    // The variable may hold arguments too: "code --wait".
    const child = spawn("/bin/sh", ["-c", `${command} "$1"`, "seam", file], { stdio: "inherit" });
    const code = await new Promise<number | null>((done) => {
      child.once("error", () => done(1));
      child.once("exit", done);
    });
    return code === 0 ? readFileSync(file, "utf8").replace(/\n$/, "") : undefined;
  } finally {
    screen.start();
    rmSync(folder, { recursive: true, force: true });
  }
}
