import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createRedactor, startRedaction } from "./index.ts";
import { SEALED_LINES } from "./test-kit/sealed.ts";
import { secretOf } from "./test-kit/secrets.ts";

const redactor = createRedactor();
const { value: token } = secretOf("github-token", 1);
const { value: awsKey } = secretOf("aws-access-key", 1);
const RANDOM = "q7Zp2LmXw9RtVb4NcKd8";

const line = async (text: string) => (await redactor.redact(Buffer.from(text))).bytes.toString();

describe("a line of a transcript", () => {
  it("keeps every byte that is not part of a secret: spaces, order, escapes", async () => {
    const before = `{ "b" :1.50e+3,\t"text": "caf\\u00e9 \\ud83d\\ude00 \\/ ${token} é", "a":[ null ,true] }`;
    expect(await line(before)).toBe(before.replace(token, "[REDACTED:github-token]"));
  });

  it("is the same buffer when nothing was removed", async () => {
    const lines = Buffer.from('{"a":1}\n{"b":"text"}\n');
    const { bytes } = await redactor.redact(lines);
    expect(bytes.buffer).toBe(lines.buffer);
    expect(bytes).toHaveLength(lines.length);
  });

  it.each([
    ["a letter", `\\u0067${token.slice(1)}`],
    ["its last letters", `${token.slice(0, -1)}\\u00${token.charCodeAt(39).toString(16)}`],
    ["all letters", [...token].map((c) => `\\u00${c.charCodeAt(0).toString(16)}`).join("")],
  ])("has a secret found although an escape hides %s", async (_, hidden) => {
    expect(await line(`{"text":"<${hidden}>"}`)).toBe('{"text":"<[REDACTED:github-token]>"}');
  });

  it("has a secret found in JSON that is a string in JSON, three times over", async () => {
    let text = `\n${token}\n`;
    for (let depth = 0; depth < 3; depth++) text = JSON.stringify({ arguments: text });
    const redacted = await line(text);
    expect(redacted).not.toContain(token);
    let inner: unknown = redacted;
    for (let depth = 0; depth < 3; depth++) {
      inner = (JSON.parse(String(inner)) as { arguments: unknown }).arguments;
    }
    expect(inner).toBe("\n[REDACTED:github-token]\n");
  });

  it("keeps ids and sealed values of JSON in a string as well", async () => {
    const inner = { tool_use_id: RANDOM, encrypted_content: `gAAAAAB${RANDOM}`, text: RANDOM };
    const redacted = await line(JSON.stringify({ arguments: JSON.stringify(inner) }));
    expect(JSON.parse((JSON.parse(redacted) as { arguments: string }).arguments)).toEqual({
      ...inner,
      text: "[REDACTED:random]",
    });
  });

  it("never has a key changed; a secret there is reported as kept", async () => {
    const text = JSON.stringify({ [token]: "x", [RANDOM]: 1 });
    const { bytes, redactions } = await redactor.redact(Buffer.from(text));
    expect(bytes.toString()).toBe(text);
    expect(redactions).toEqual([{ rule: "github-token", count: 1, line: 1, kept: true }]);
  });

  it.each(["id", "uuid", "tool_use_id", "messageID", "parentUuid", "thread-id", "call_ids"])(
    "keeps random characters under %s; what has the shape of a secret goes",
    async (key) => {
      expect(await line(JSON.stringify({ [key]: RANDOM }))).toBe(JSON.stringify({ [key]: RANDOM }));
      expect(await line(JSON.stringify({ [key]: awsKey }))).toBe(
        JSON.stringify({ [key]: "[REDACTED:aws-access-key]" }),
      );
      expect(await line(JSON.stringify({ [key]: [RANDOM, RANDOM] }))).toContain(RANDOM);
    },
  );

  it.each(["cwd", "file_path", "transcriptPath", "type", "role", "model", "version", "timestamp"])(
    "keeps random characters under %s",
    async (key) => {
      expect(await line(JSON.stringify({ [key]: RANDOM }))).toContain(RANDOM);
      expect(await line(JSON.stringify({ [key]: `/x/${token}` }))).not.toContain(token);
    },
  );

  it("removes random characters under other keys", async () => {
    expect(await line(JSON.stringify({ text: RANDOM }))).toBe('{"text":"[REDACTED:random]"}');
    expect(await line(JSON.stringify({ data: RANDOM }))).toBe('{"data":"[REDACTED:random]"}');
  });

  it.each([
    ["password", "hunter2hunter2"],
    ["password", 'a"b12345678'],
    ["client_secret", "x9$kkPq!a"],
    ["NPM_TOKEN", "correcthorse"],
  ])("takes the key's word for it: %s", async (key, value) => {
    expect(await line(JSON.stringify({ [key]: value }))).toBe(
      JSON.stringify({ [key]: "[REDACTED:credential]" }),
    );
  });

  it.each([
    ["password", "current-password"],
    ["token", "text"],
    ["apiKeySource", "ANTHROPIC_API_KEY"],
    ["input_tokens", "12345678"],
    ["next_page_token", "CAUQAA12345678"],
  ])("does not take every key's word for it: %s", async (key, value) => {
    const text = JSON.stringify({ [key]: value });
    expect(await line(text)).toBe(text);
  });

  it("that is no JSON is searched as text", async () => {
    expect(await line(`{"cut off": "${token}`)).toBe('{"cut off": "[REDACTED:github-token]');
    expect(await line(`{"a":1} trailing ${token}`)).toBe(
      '{"a":1} trailing [REDACTED:github-token]',
    );
  });
});

describe("a session can go on", () => {
  it.each(SEALED_LINES.map(({ name, ...rest }) => [name, rest] as const))(
    "after redaction: %s",
    async (_, { line: text }) => {
      expect(await line(text)).toBe(text);
    },
  );

  it("a secret beside a sealed value goes, the sealed value stays", async () => {
    for (const { line: text, sealed } of SEALED_LINES) {
      const redacted = await line(`{"text":"${token}","inside":${text}}`);
      expect(redacted).toBe(`{"text":"[REDACTED:github-token]","inside":${text}}`);
      expect(redacted).toContain(sealed);
    }
  });

  it("a sealed key does not hide what is no sealed value", async () => {
    for (const key of ["signature", "encrypted_content", "thoughtSignature"]) {
      expect(await line(JSON.stringify({ [key]: token }))).not.toContain(token);
      expect(await line(JSON.stringify({ [key]: `the key is ${token}` }))).not.toContain(token);
    }
    const media = { data: `the key is ${token}`, media_type: "text/plain" };
    expect(await line(JSON.stringify(media))).not.toContain(token);
  });

  const folder = join(import.meta.dirname, "test-kit/transcripts");
  it.each(readdirSync(folder))(
    "nothing is taken out of a transcript without secrets: %s",
    async (file) => {
      const bytes = readFileSync(join(folder, file));
      const redacted = file.endsWith(".json")
        ? await redactor.redactJson(bytes)
        : await redactor.redactAppended(startRedaction("jsonl"), bytes);
      expect(redacted.report).toEqual([]);
      expect(redacted.bytes.equals(bytes)).toBe(true);
    },
  );
});

describe("a JSON document over many lines", () => {
  it("keeps its lines; keys and ids count", async () => {
    const text = JSON.stringify(
      {
        info: { id: RANDOM },
        messages: [{ parts: [{ text: `a ${token}`, password: "hunter2hunter2" }] }],
      },
      null,
      2,
    );
    const { bytes, report } = await redactor.redactJson(Buffer.from(text));
    expect(bytes.toString()).toBe(
      text
        .replace(token, "[REDACTED:github-token]")
        .replace("hunter2hunter2", "[REDACTED:credential]"),
    );
    expect(report).toEqual([
      { rule: "github-token", count: 1 },
      { rule: "credential", count: 1 },
    ]);
  });

  it("that is none is searched as text", async () => {
    const { bytes } = await redactor.redactJson(Buffer.from(`{\n"a": ${token}\n`));
    expect(bytes.toString()).toBe('{\n"a": [REDACTED:github-token]\n');
  });
});

it("what stands for a secret is no name of another one", async () => {
  expect(await redactor.text(`${awsKey}: ?a1b2c3d4e5`)).toBe(
    "[REDACTED:aws-access-key]: ?a1b2c3d4e5",
  );
});

describe("the report", () => {
  it("says kind, count and line, never the value", async () => {
    const text = `one\n${token} ${token}\nthree https://u:hunter22@h.example ${awsKey}\n`;
    const { report } = await redactor.redactText(Buffer.from(text));
    expect(report).toEqual([
      { rule: "github-token", count: 2, line: 2 },
      { rule: "url-credentials", count: 1, line: 3 },
      { rule: "aws-access-key", count: 1, line: 3 },
    ]);
  });
});

describe("bytes that are no UTF-8", () => {
  const garbage = Buffer.from([
    0x7b, 0xff, 0xfe, 0x00, 0x80, 0xc3, 0x28, 0x0a, 0xed, 0xa0, 0x80, 0x0a,
  ]);

  it("stay as they are", async () => {
    for (const format of ["jsonl", "text"] as const) {
      const { bytes } = await redactor.redactAppended(startRedaction(format), garbage);
      expect(bytes.equals(garbage)).toBe(true);
    }
  });

  it("stay as they are beside a secret", async () => {
    const bytes = Buffer.concat([garbage, Buffer.from(`\xff ${token} \xfe\n`, "latin1")]);
    const expected = Buffer.concat([
      garbage,
      Buffer.from("\xff [REDACTED:github-token] \xfe\n", "latin1"),
    ]);
    expect((await redactor.redactText(bytes)).bytes.equals(expected)).toBe(true);
  });
});
