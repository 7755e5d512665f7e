import type { Headless } from "../headless/headless.ts";
import { piNews } from "../pi/headless-output.ts";

/** What a role that only reads is offered at all; what its shell may do is the gate's business. */
const READ_TOOLS = "read,bash,grep,find,ls,todo,Skill";

export const headless: Headless = {
  takesSessionId: false,
  takesSchema: false,
  start({ prompt, instructions, model, resume, access }) {
    return {
      stdin: prompt,
      args: [
        "run",
        "-p",
        "-",
        "--mode",
        "json",
        ...(model !== undefined ? ["--model", model] : []),
        ...(resume !== undefined ? ["--resume", resume] : []),
        ...(access === "read" ? ["--tools", READ_TOOLS] : []),
        ...(instructions !== "" ? ["--append-system-prompt", instructions] : []),
      ],
    };
  },
  read: piNews,
  troubles: [
    { kind: "limited", pattern: /\b429\b|rate.?limit|quota|overloaded/i },
    { kind: "logged-out", pattern: /\b401\b|invalid.{0,10}api.?key|no api key|authentication/i },
  ],
};
