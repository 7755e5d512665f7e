import type { Headless } from "../headless/headless.ts";
import { piNews } from "./headless-output.ts";
import { piPlugin } from "./plugin.ts";

const READ_TOOLS = "read,bash,grep,find,ls";
const PLUGIN = "agentseam.js";

export const headless: Headless = {
  takesSessionId: false,
  takesSchema: false,
  consent: "Pi is given Seam's extension for the process alone (--extension).",
  projectPrograms: [".pi/settings.json", ".pi/extensions"],
  start({ prompt, instructions, model, resume, access, hooks, folder }) {
    return {
      stdin: prompt,
      args: [
        "--mode",
        "json",
        "-p",
        ...(model !== undefined ? ["--model", model] : []),
        ...(resume !== undefined ? ["--session", resume] : []),
        ...(access === "read" ? ["--tools", READ_TOOLS] : []),
        ...(instructions !== "" ? ["--append-system-prompt", instructions] : []),
        ...(hooks ? ["--extension", `${folder}/${PLUGIN}`] : []),
      ],
      files: { ...(hooks && { [PLUGIN]: piPlugin() }) },
    };
  },
  read: piNews,
  troubles: [
    { kind: "limited", pattern: /\b429\b|rate.?limit|quota|overloaded|usage limit/i },
    {
      kind: "logged-out",
      pattern: /\b401\b|invalid.{0,10}api.?key|no api key|authentication|not logged in/i,
    },
  ],
};
