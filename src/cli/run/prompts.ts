import { fstatSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { usageError } from "../../errors/index.ts";
import type { ImageContent } from "../../events/index.ts";
import { LARGE_FILE, readRegular } from "../../files/index.ts";
import type { Prompt } from "../../host/index.ts";
import { imageType } from "../../tools/index.ts";

/**
 * What the words of a command line ask for: `@file` stands for what is in it, the first prompt gets
 * all of that and what came in on stdin, and every further word is a prompt of its own.
 */
export function promptsOf(words: readonly string[], stdin: string, cwd: string): Prompt[] {
  const files = words.filter(isFile).map((word) => readNamed(word.slice(1), cwd));
  const [first, ...others] = words.filter((word) => !isFile(word));
  const images = files.flatMap(({ image }) => image ?? []);
  const piped = stdin === "" ? "" : `${stdin}\n`;
  const text = [piped, ...files.map((file) => file.text), first ?? ""].join("").trimEnd();
  if (text.trim() === "" && images.length === 0) return [];
  return [
    { text, ...(images.length > 0 && { images }) },
    ...others.map((other) => ({ text: other })),
  ];
}

const isFile = (word: string) => word.startsWith("@") && word.length > 1;

function readNamed(name: string, cwd: string): { text: string; image?: ImageContent } {
  const path = name.startsWith("~/") ? join(homedir(), name.slice(2)) : resolve(cwd, name);
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) {
    throw usageError(
      `There is no file ${path}, which @${name} names.`,
      `Correct the path. If @${name} is part of the prompt, write a blank before it.`,
    );
  }
  const bytes = readRegular(path, LARGE_FILE);
  if (bytes.length === 0) return { text: "" };
  const mimeType = imageType(bytes);
  if (mimeType === undefined) {
    return { text: `<file name="${path}">\n${bytes.toString("utf8")}\n</file>\n` };
  }
  const image: ImageContent = { type: "image", mimeType, data: bytes.toString("base64") };
  return { text: `<file name="${path}"></file>\n`, image };
}

/** How long a pipe may stay silent when there is something to work on already. */
const SILENT_MS = 3_000;

/**
 * What was piped in. A program that starts this one may leave a pipe open and never write into it: if
 * there is a prompt already, it is not waited for.
 */
export async function pipedText(
  hasPrompt: boolean,
  warn: (text: string) => void,
  silentMs = SILENT_MS,
): Promise<string> {
  if (process.stdin.isTTY || !isPiped()) return "";
  const { stdin } = process;
  const chunks: Buffer[] = [];
  return new Promise((done, failed) => {
    const end = () => {
      clearTimeout(timer);
      stdin.removeAllListeners("data");
      done(Buffer.concat(chunks).toString("utf8").trim());
    };
    const giveUp = () => {
      warn(
        "Nothing came in on stdin, so it is not waited for. To say that nothing will: </dev/null",
      );
      stdin.off("end", end);
      stdin.pause();
      // It would keep the program from ending.
      if ("unref" in stdin && typeof stdin.unref === "function") stdin.unref();
      end();
    };
    const timer = hasPrompt ? setTimeout(giveUp, silentMs) : undefined;
    stdin.on("data", (chunk: Buffer) => {
      clearTimeout(timer);
      chunks.push(chunk);
    });
    stdin.once("end", end);
    stdin.once("error", failed);
  });
}

/** Not so for what is closed, and for devices, of which /dev/null has nothing to say. */
function isPiped(): boolean {
  try {
    const stat = fstatSync(0);
    return stat.isFIFO() || stat.isFile() || stat.isSocket();
  } catch {
    return false;
  }
}
