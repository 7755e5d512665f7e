import type { AssistantMessage } from "../../events/index.ts";
import { defaultTheme, keyText } from "../../terminal/index.ts";
import { searchTranscript } from "../parts/search-line.ts";
import { pick } from "./pick.ts";
import type { CommandSurroundings, ScreenCommand } from "./screen-command.ts";
import { changeSettings } from "./settings.ts";

async function theme(
  { stage, themes, notify }: CommandSurroundings,
  wanted: string,
): Promise<void> {
  const items = themes.list().map(({ name = "", sourcePath }) => ({
    value: name,
    label: name,
    description: sourcePath ?? "comes with Seam",
  }));
  const { name: current } = defaultTheme();
  const selected = current === undefined ? {} : { selected: current };
  const chosen = wanted || (await pick(stage, "Theme", items, selected));
  if (chosen === undefined) return;
  const { error } = themes.use(chosen);
  if (error) notify(error, "error");
}

const HOTKEYS = [
  ["tui.input.submit", "send; while the agent works: say it before its next step"],
  ["app.message.followUp", "queue it until the agent would stop"],
  ["app.message.dequeue", "take queued messages back into the editor"],
  ["app.interrupt", "stop the agent, or close what is open; twice: the session tree"],
  ["tui.input.newLine", "new line; also a backslash before enter"],
  ["app.tools.expand", "show tool calls whole, or in one line"],
  ["app.thinking.toggle", "show or hide what the model thinks"],
  ["app.thinking.cycle", "how hard the model thinks"],
  ["app.model.select", "choose the model"],
  ["app.model.cycleForward", "the next model"],
  ["app.editor.external", "edit the prompt in $EDITOR"],
  ["app.clipboard.pasteImage", "paste a picture"],
  ["app.scroll.pageUp", "read further up; the mouse wheel does too"],
  ["app.scroll.end", "back to the end"],
  ["app.scroll.previousPrompt", "the prompt before"],
  ["app.scroll.search", "search in this session"],
  ["app.clear", "empty the editor; twice: leave"],
  ["app.exit", "leave, if the editor is empty"],
  ["app.suspend", "back to the shell until fg"],
] as const;

function hotkeys({ agent, notify }: CommandSurroundings): void {
  const own = HOTKEYS.map(([action, text]) => `${keyText(action).padEnd(22)} ${text}`);
  const theirs = agent.extensions
    .shortcuts()
    .map(({ key, options }) => `${key.padEnd(22)} ${options.description ?? "of an extension"}`);
  const signs = ["/ commands, @ files, ! runs a command, !! runs it and keeps it from the model"];
  notify([...own, ...theirs, ...signs].join("\n"));
}

function copy({ agent, stage, notify }: CommandSurroundings): void {
  const answers = agent.session.getBranch().flatMap((entry): AssistantMessage[] => {
    return entry.type === "message" && entry.message.role === "assistant" ? [entry.message] : [];
  });
  const text = answers
    .map(({ content }) =>
      content.flatMap((one) => (one.type === "text" ? [one.text] : [])).join("\n"),
    )
    .findLast((one) => one.trim() !== "");
  if (text === undefined) {
    notify("There is no answer to copy yet.");
    return;
  }
  // The terminal puts it into the clipboard of the machine it runs on, also over ssh.
  stage.screen.terminal.write(`\u001b]52;c;${Buffer.from(text).toString("base64")}\u0007`);
  notify("The last answer is copied.");
}

async function reload({ agent, readKeys, notify }: CommandSurroundings): Promise<void> {
  await agent.reload();
  readKeys();
  notify("Extensions, skills, prompts, themes and keys are loaded anew.");
}

export const LOOK_COMMANDS: readonly ScreenCommand[] = [
  { name: "theme", description: "choose the colours", run: theme },
  { name: "settings", description: "change how this run works and looks", run: changeSettings },
  { name: "hotkeys", description: "show the keys", run: hotkeys },
  {
    name: "search",
    description: "find a text in this session",
    run: ({ stage }, args) => searchTranscript(stage, args),
  },
  { name: "copy", description: "copy the last answer", run: copy },
  {
    name: "reload",
    description: "load extensions, skills, prompts, themes and keys anew",
    run: reload,
  },
  { name: "quit", description: "leave", run: ({ quit }) => quit() },
];
