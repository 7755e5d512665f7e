import { styleText } from "node:util";

type Style = Parameters<typeof styleText>[0];

/** A terminal that knows colours and can write over a line. */
export function isCapable(stream: { readonly isTTY?: boolean }): boolean {
  return stream.isTTY === true && process.env.TERM !== "dumb";
}

/** Colours only where a person looks at them. */
export function paint(style: Style, text: string, stream: NodeJS.WriteStream = process.stdout) {
  const wanted = isCapable(stream) && !process.env.NO_COLOR;
  return wanted ? styleText(style, text) : text;
}

let jsonPrinted = false;

export function isJsonPrinted(): boolean {
  return jsonPrinted;
}

export function printJson(value: unknown): void {
  jsonPrinted = true;
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}

export function printLine(text = ""): void {
  process.stdout.write(`${text}\n`);
}

/** Columns there are; what is piped is as wide as a terminal often is. */
export function lineWidth(stream: Partial<NodeJS.WriteStream> = process.stdout): number {
  return stream.isTTY ? Math.max(stream.columns || 80, 24) : 80;
}

/** One line that is written over while long work goes on; nothing where nobody is watching. */
export function progressLine(): { show(text: string): void; clear(): void } {
  const { stderr } = process;
  if (!isCapable(stderr)) return { show: () => {}, clear: () => {} };
  return {
    show: (text) => void stderr.write(`\r\x1b[K${text.slice(0, (stderr.columns ?? 80) - 1)}`),
    clear: () => void stderr.write("\r\x1b[K"),
  };
}
