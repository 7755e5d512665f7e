import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { messageOf } from "../../errors/index.ts";
import type { Settings } from "../../settings/index.ts";
import type { Log } from "../log.ts";
import type { InboxEvent, Question } from "./question.ts";

interface Options {
  readonly log: Log;
  readonly settings: () => Settings["inbox"];
}

/** How long the program that shows a notification may take. */
const PATIENCE_MS = 10_000;
const LONGEST = 500;

/** Tells the user at the desktop of questions that have waited for a while. */
export class Notifier {
  readonly #options: Options;
  readonly #waiting = new Map<string, NodeJS.Timeout>();

  constructor(options: Options) {
    this.#options = options;
  }

  hear(event: InboxEvent): void {
    if (event.type === "asked") this.#wait(event.question);
    else if (event.type === "settled" || event.type === "held") this.#over(event.id);
  }

  close(): void {
    for (const id of [...this.#waiting.keys()]) this.#over(id);
  }

  #wait(question: Question): void {
    const { notify = true, notifyAfterSeconds = AFTER_SECONDS } = this.#options.settings();
    if (!notify) return;
    const tell = () => {
      this.#waiting.delete(question.id);
      this.#tell(question);
    };
    this.#waiting.set(question.id, setTimeout(tell, notifyAfterSeconds * 1_000).unref());
  }

  #over(id: string): void {
    clearTimeout(this.#waiting.get(id));
    this.#waiting.delete(id);
  }

  #tell({ id, agent, title, message, call }: Question): void {
    const what = call?.input.command ?? call?.input.path ?? message ?? "";
    const text = passable(`${title}\n${String(what)}`);
    const run = notification(
      this.#options.settings().notifyCommand,
      `${agent} waits for you`,
      text,
    );
    if (!run) return;
    const env = { ...process.env, SEAM_QUESTION: id, SEAM_TITLE: passable(title), SEAM_TEXT: text };
    const failed = (error: unknown) =>
      this.#options.log.warn(`a notification could not be shown: ${messageOf(error)}`);
    try {
      execFile(run.program, run.args, { env, timeout: PATIENCE_MS }, (error) => {
        if (error) failed(error);
      });
    } catch (error) {
      // What the system refuses at once is thrown, and nobody else would catch it here.
      failed(error);
    }
  }
}

/** What a program can be given: an agent or an extension wrote it. */
function passable(text: string): string {
  return text.slice(0, LONGEST).replaceAll("\0", " ");
}

const AFTER_SECONDS = 5;

/** The text is passed as an argument, never as part of a script. */
const SCRIPT =
  "on run argv\ndisplay notification (item 2 of argv) with title (item 1 of argv)\nend run";

/** The program that shows a notification here; undefined if there is none. */
export function notification(
  own: string | undefined,
  title: string,
  text: string,
  platform: string = process.platform,
): { program: string; args: string[] } | undefined {
  if (own !== undefined && own !== "") return { program: "/bin/sh", args: ["-c", own] };
  if (platform === "darwin") {
    return { program: "/usr/bin/osascript", args: ["-e", SCRIPT, title, text] };
  }
  const program = ["/usr/bin", "/bin", "/usr/local/bin"]
    .map((folder) => join(folder, "notify-send"))
    .find((path) => existsSync(path));
  return program === undefined
    ? undefined
    : { program, args: ["--app-name=Seam", "--", title, text] };
}
