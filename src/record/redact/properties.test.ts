import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../../test/setup/sample.ts";
import { createRedactor, startRedaction } from "./index.ts";
import { SEALED_LINES } from "./test-kit/sealed.ts";
import { secrets } from "./test-kit/secrets.ts";

const redactor = createRedactor({
  patterns: ["acme-internal", "/cust-\\d+/i"],
  env: { APP_TOKEN: "blue-Horse-77" },
});

/** Text with things in it that the search looks at. */
const piece = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 20 }),
  fc.string({ unit: "binary", maxLength: 10 }),
  secrets.map(({ value }) => value),
  fc.constantFrom(
    ...[
      "[REDACTED:",
      "[REDACTED:jwt]",
      "[REDACTED:random]",
      "://u:pw123@",
      "@",
      "password=",
      "token: ",
      '"',
      "\\",
    ],
    ...[
      "\\n",
      "\\u0041",
      "\n",
      " ",
      "-----BEGIN PRIVATE KEY-----",
      "-----END PRIVATE KEY-----",
      "Bearer ",
    ],
    ...[
      "hunter2hunter2",
      "q7Zp2LmXw9RtVb4NcKd8",
      "blue-Horse-77",
      "acme-internal",
      "cust-12345",
      "\u001b[31m",
      "\\x1b[0m",
      "\u001b[",
      "mysql -p",
      "Cookie: sid=",
      "cGFzc3dvcmQ9aHVudGVyMmh1bnRlcjI=",
      "-----BEGIN CERTIFICATE-----",
      "data:image/png;base64,",
    ],
  ),
);
const ANSI = new RegExp(`(?:${["\u001b", "\\\\x1b", "\\\\033"].join("|")})\\[[\\d;]*[A-Za-z]`, "g");
const text = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(""));
const key = fc.oneof(
  text,
  fc.constantFrom(
    "id",
    "tool_use_id",
    "signature",
    "data",
    "type",
    "password",
    "content",
    "API_KEY",
    "media_type",
  ),
);
const { value: json } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    text,
    fc.double({ noNaN: true }),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(key, tie("value"), { maxKeys: 4 }),
    tie("value").map((inner) => JSON.stringify(inner)),
  ),
}));
/** As other programs write JSON: with spaces, with escapes nobody needs. */
const written = fc
  .tuple(json, fc.constantFrom(undefined, 1), fc.nat(3))
  .map(([value, space, odd]) => {
    const line = JSON.stringify(value, null, space).replaceAll("\n", " ");
    if (odd === 1) return line.replaceAll("/", "\\/");
    if (odd === 2) return line.replace(/"(?:[^"\\]|\\.)*"/g, withEscapes);
    return line;
  });

function withEscapes(quoted: string): string {
  return quoted.replace(
    /(\\.)|([g-z])/g,
    (_, kept: string | undefined, char: string) =>
      kept ?? `\\u00${char.charCodeAt(0).toString(16)}`,
  );
}

const run = async (format: "jsonl" | "text", input: Buffer) =>
  (await redactor.redactAppended(startRedaction(format), input, { complete: true })).bytes;

/** The same value with every string made the same. */
function shapeOf(value: unknown): unknown {
  if (typeof value === "string") return "";
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value !== "object" || value === null) return value;
  return Object.entries(value).map(([name, inner]) => [name, shapeOf(inner)]);
}

describe("whatever the lines say", () => {
  it("JSON stays JSON with the same keys, numbers and order, line by line", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(written, { maxLength: 4 }), async (lines) => {
        const input = lines.map((line) => `${line}\n`).join("");
        const output = (await run("jsonl", Buffer.from(input))).toString().split("\n");
        expect(output.length).toBe(lines.length + 1);
        for (const [index, line] of lines.entries()) {
          expect(shapeOf(JSON.parse(output[index] ?? ""))).toEqual(shapeOf(JSON.parse(line)));
        }
      }),
      runs(400),
    );
  });

  it("a second run changes nothing", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(written, text), { maxLength: 5 }),
        fc.constantFrom("jsonl" as const, "text" as const),
        async (lines, format) => {
          const once = await run(format, Buffer.from(lines.join("\n")));
          expect((await run(format, once)).toString("latin1")).toBe(once.toString("latin1"));
        },
      ),
      runs(400),
    );
  });

  it("a document over many lines: JSON stays JSON, a second run changes nothing", async () => {
    await fc.assert(
      fc.asyncProperty(json, async (value) => {
        const input = JSON.stringify(value, null, 2);
        const { bytes } = await redactor.redactJson(Buffer.from(input));
        expect(shapeOf(JSON.parse(bytes.toString()))).toEqual(shapeOf(JSON.parse(input)));
        expect((await redactor.redactJson(bytes)).bytes.equals(bytes)).toBe(true);
      }),
      runs(200),
    );
  });

  it("it does not matter how the lines were handed over", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(written, text), { maxLength: 6 }),
        fc.constantFrom("jsonl" as const, "text" as const),
        fc.array(fc.nat(2_000), { maxLength: 5 }),
        async (lines, format, cuts) => {
          const input = Buffer.from(lines.join("\n"));
          let state = startRedaction(format);
          const parts: Buffer[] = [];
          for (const end of [...cuts.sort((a, b) => a - b), input.length]) {
            const chunk = input.subarray(state.offset, Math.max(state.offset, end));
            const appended = await redactor.redactAppended(state, chunk, {
              complete: end === input.length,
            });
            parts.push(appended.bytes);
            ({ state } = appended);
          }
          expect(Buffer.concat(parts).equals(await run(format, input))).toBe(true);
        },
      ),
      runs(300),
    );
  });

  it("the number of lines stays, and the report has no text of theirs", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(written, text), { maxLength: 5 }), async (lines) => {
        const input = Buffer.from(lines.join("\n"));
        const { bytes, report } = await redactor.redactAppended(startRedaction("jsonl"), input, {
          complete: true,
        });
        const count = (buffer: Buffer) => buffer.filter((byte) => byte === 10).length;
        expect(count(bytes)).toBe(count(input));
        for (const { rule } of report) expect(rule).toMatch(/^[a-z-]+$/);
      }),
      runs(200),
    );
  });
});

describe("garbage", () => {
  const garbage = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes));

  it("stays as it is, byte for byte", async () => {
    await fc.assert(
      fc.asyncProperty(garbage, async (bytes) => {
        for (const format of ["jsonl", "text"] as const) {
          expect((await run(format, bytes)).equals(bytes)).toBe(true);
        }
        expect((await redactor.redactJson(bytes)).bytes.equals(bytes)).toBe(true);
      }),
      runs(500),
    );
  });

  it("between a secret and its surroundings hides nothing and stays", async () => {
    await fc.assert(
      fc.asyncProperty(garbage, garbage, secrets, async (before, after, { kind, value }) => {
        fc.pre(kind !== "private-key");
        const input = Buffer.concat([before, Buffer.from(` ${value} `), after]);
        const output = await run("text", input);
        expect(output.includes(value)).toBe(false);
        expect(output.subarray(0, before.length).equals(before)).toBe(true);
        expect(output.subarray(output.length - after.length).equals(after)).toBe(true);
      }),
      runs(300),
    );
  });

  it("half lines of transcripts do no harm", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...SEALED_LINES),
        fc.nat(),
        fc.nat(),
        async ({ line }, from, to) => {
          const half = line.slice(from % line.length, to % (line.length + 1));
          const once = await run("jsonl", Buffer.from(half));
          expect((await run("jsonl", once)).equals(once)).toBe(true);
        },
      ),
    );
  });
});

describe("no secret survives", () => {
  const around = fc.string({ unit: "grapheme", maxLength: 12 });
  const separator = fc.constantFrom(
    " ",
    "\n",
    '"',
    "'",
    "`",
    "=",
    ": ",
    ", ",
    "(",
    "<",
    "|",
    "\t",
    ";",
  );
  const embedded = fc
    .tuple(secrets, around, separator, separator, around)
    .map(([secret, before, left, right, after]) => ({
      secret,
      text: `${before}${left}${secret.value}${right}${after}`,
    }));

  /** Nothing of the value that could be used: no long part of it. */
  const leaves = (output: string, value: string) => {
    const lines = value.split("\n").filter((line) => !line.startsWith("-----"));
    return lines.some((line) => {
      for (let at = 0; at + 16 <= line.length; at += 4) {
        if (output.includes(line.slice(at, at + 16))) return true;
      }
      return false;
    });
  };

  it("in prose", async () => {
    await fc.assert(
      fc.asyncProperty(embedded, async ({ secret, text }) => {
        expect(leaves(await redactor.text(text), secret.value)).toBe(false);
      }),
      runs(600),
    );
  });

  it("in JSON, and in JSON in JSON", async () => {
    await fc.assert(
      fc.asyncProperty(
        embedded,
        fc.integer({ min: 1, max: 4 }),
        async ({ secret, text }, depth) => {
          let line = text;
          for (let level = 0; level < depth; level++) line = JSON.stringify({ result: line });
          let output: unknown = (await run("jsonl", Buffer.from(line))).toString();
          for (let level = 0; level < depth; level++) {
            output = (JSON.parse(String(output)) as { result: unknown }).result;
          }
          expect(leaves(String(output), secret.value)).toBe(false);
        },
      ),
      runs(500),
    );
  });

  it("with some of its characters written as escapes", async () => {
    await fc.assert(
      fc.asyncProperty(
        embedded,
        fc.array(fc.nat(), { maxLength: 8 }),
        async ({ secret, text }, at) => {
          const hidden = new Set(at.map((index) => index % secret.value.length));
          const value = [...secret.value].map((char, index) =>
            hidden.has(index)
              ? `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`
              : JSON.stringify(char).slice(1, -1),
          );
          const whole = JSON.stringify(text).replace(
            JSON.stringify(secret.value).slice(1, -1),
            () => value.join(""),
          );
          const output = (await run("jsonl", Buffer.from(`{"text":${whole}}`))).toString();
          expect(leaves((JSON.parse(output) as { text: string }).text, secret.value)).toBe(false);
        },
      ),
      runs(400),
    );
  });

  it("with colours around it and in it, and only what it is goes", async () => {
    const colour = fc.constantFrom(
      "\u001b[31m",
      "\u001b[0m",
      "\u001b[01;31m\u001b[K",
      "\\x1b[1m",
      "\\033[m",
    );
    await fc.assert(
      fc.asyncProperty(
        secrets.filter(({ kind }) => kind !== "private-key"),
        fc.array(fc.tuple(fc.nat(), colour), { maxLength: 4 }),
        async ({ value }, marks) => {
          let coloured = value;
          for (const [at, mark] of [...marks].sort(
            ([a], [b]) => (b % value.length) - (a % value.length),
          )) {
            coloured =
              coloured.slice(0, at % value.length) + mark + coloured.slice(at % value.length);
          }
          const input = `say \u001b[32m${coloured}\u001b[0m now`;
          for (const line of [input, JSON.stringify({ content: input })]) {
            const output = (
              await run(line === input ? "text" : "jsonl", Buffer.from(line))
            ).toString();
            const shown =
              line === input ? output : (JSON.parse(output) as { content: string }).content;
            expect(leaves(shown.replace(ANSI, ""), value)).toBe(false);
            expect(shown.startsWith("say \u001b[32m")).toBe(true);
            expect(shown.endsWith("\u001b[0m now")).toBe(true);
          }
        },
      ),
      runs(400),
    );
  });

  it("in an environment, a header, an address or a key's value", async () => {
    const places: readonly ((value: string) => string)[] = [
      (value) => `HOME=/home/dev\nMY_SERVICE_TOKEN=${value}\nTERM=xterm`,
      (value) => `export KEY="${value}"`,
      (value) => `curl -H "Authorization: Bearer ${value}" https://api.example.com`,
      (value) => `git clone https://joe:${value}@github.com/o/r`,
      (value) => `https://api.example.com/v1?api_key=${value}&x=1`,
      (value) => JSON.stringify({ apiKey: value, x: [value] }),
      (value) => `     7→  token: ${value}`,
      (value) => `+const key = '${value}';`,
    ];
    const oneLine = secrets.filter(({ kind }) => kind !== "private-key");
    await fc.assert(
      fc.asyncProperty(oneLine, fc.constantFrom(...places), async ({ value }, place) => {
        expect(leaves(await redactor.text(place(value)), value)).toBe(false);
      }),
      runs(500),
    );
  });
});
