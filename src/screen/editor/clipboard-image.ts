import { execFile } from "node:child_process";
import type { ImageContent } from "../../events/index.ts";

/** Programs that print a picture from the clipboard; the first one that is there and has one counts. */
const READERS: readonly (readonly [command: string, ...args: string[]])[] = [
  ["wl-paste", "--type", "image/png"],
  ["xclip", "-selection", "clipboard", "-t", "image/png", "-o"],
  ["pngpaste", "-"],
];

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47]);
const LARGEST = 20 * 1024 * 1024;

/** Pictures that were pasted and go along with the next prompt. */
export class PastedImages {
  readonly #insert: (text: string) => void;
  readonly #notify: (text: string) => void;
  #images: ImageContent[] = [];

  constructor(insert: (text: string) => void, notify: (text: string) => void) {
    this.#insert = insert;
    this.#notify = notify;
  }

  get count(): number {
    return this.#images.length;
  }

  async paste(): Promise<void> {
    const image = await clipboardImage();
    if (!image) {
      this.#notify("There is no picture in the clipboard that can be read here.");
      return;
    }
    this.#images.push(image);
    this.#insert(`[image #${this.#images.length}] `);
  }

  take(): ImageContent[] {
    const images = this.#images;
    this.#images = [];
    return images;
  }
}

/** The picture in the clipboard, if there is one. */
async function clipboardImage(): Promise<ImageContent | undefined> {
  for (const [command, ...args] of READERS) {
    const data = await printed(command, args);
    if (data?.subarray(0, PNG.length).equals(PNG)) {
      return { type: "image", data: data.toString("base64"), mimeType: "image/png" };
    }
  }
  return undefined;
}

function printed(command: string, args: readonly string[]): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    const options = { encoding: "buffer", maxBuffer: LARGEST, timeout: 3_000 } as const;
    execFile(command, args, options, (error, stdout) => resolve(error ? undefined : stdout));
  });
}
