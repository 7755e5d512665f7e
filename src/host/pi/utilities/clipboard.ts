import { spawn } from "node:child_process";

/** The programs that can put something on the clipboard, and where each is at home. */
const PROGRAMS: readonly (readonly [program: string, ...args: string[]])[] = [
  ["pbcopy"],
  ["wl-copy"],
  ["xclip", "-selection", "clipboard"],
  ["xsel", "--clipboard", "--input"],
  ["termux-clipboard-set"],
  ["clip.exe"],
];

/** Puts a text on the clipboard: with a program of the machine, or by asking the terminal. */
export async function copyToClipboard(text: string): Promise<void> {
  for (const [program, ...args] of PROGRAMS) if (await feed(program, args, text)) return;
  if (!process.stdout.isTTY) throw new Error("There is no clipboard to copy to.");
  process.stdout.write(`\u001b]52;c;${Buffer.from(text).toString("base64")}\u0007`);
}

/** False if the program is not there or did not take it. */
function feed(program: string, args: readonly string[], text: string): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: ["pipe", "ignore", "ignore"], timeout: 5_000 });
    child.on("error", () => resolve(false));
    child.on("close", (code) => resolve(code === 0));
    child.stdin.on("error", () => {});
    child.stdin.end(text);
  });
}
