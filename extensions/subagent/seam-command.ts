import { readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";

/** `SEAM_SUBAGENT_CLI`, or the Seam that runs this extension, or the one on the PATH. */
export function seamCommand(): [program: string, ...args: string[]] {
  const script = process.env.SEAM_SUBAGENT_CLI ?? ownScript(process.argv[1] ?? "");
  if (script === undefined) return ["seam"];
  return script.endsWith(".js") ? [process.execPath, script] : [script];
}

/** An embedder's program must not be started in place of Seam: the package decides. */
function ownScript(script: string): string | undefined {
  try {
    const real = realpathSync(script);
    const about: unknown = JSON.parse(readFileSync(join(real, "../../../package.json"), "utf8"));
    const isSeam = typeof about === "object" && about !== null && "name" in about;
    return isSeam && about.name === "agentseam" ? real : undefined;
  } catch {
    return undefined;
  }
}
