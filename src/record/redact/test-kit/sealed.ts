/**
 * Lines as agents write them, with what the model's provider checks when the session goes on. The
 * sealed values are made up, in the shape of real ones; short ones are the hard case.
 */
const bytes = (length: number, seed: number) =>
  Buffer.from(Array.from({ length }, (_, at) => (at * 167 + seed * 59 + ((at * at) >> 3)) & 0xff));

const SIZES = [18, 45, 64, 88, 300, 2_000];

export interface SealedLine {
  readonly name: string;
  readonly sealed: string;
  readonly line: string;
}

export const SEALED_LINES: readonly SealedLine[] = SIZES.flatMap((size) => {
  const base64 = bytes(size, size).toString("base64");
  const fernet = `gAAAAAB${bytes(size, size + 1).toString("base64url")}==`;
  const lines: readonly (readonly [string, string, unknown])[] = [
    [
      "Claude's thinking",
      base64,
      {
        parentUuid: "435f4c31-5a45-42bf-be1f-00a952f7d6f5",
        type: "assistant",
        message: {
          id: "msg_01XFDUDYJgAACzvnptvVoYEL",
          role: "assistant",
          content: [{ type: "thinking", thinking: "Let me look.", signature: base64 }],
        },
        uuid: "7ee3ad52-12bf-4857-bee9-e0d07922f848",
      },
    ],
    [
      "Claude's hidden thinking",
      base64,
      { message: { content: [{ data: base64, type: "redacted_thinking" }] } },
    ],
    [
      "Codex's reasoning",
      fernet,
      {
        type: "response_item",
        payload: {
          type: "reasoning",
          id: "rs_68d83517d32481a3a885d6180985b19505b5406cc515b605",
          summary: [],
          encrypted_content: fernet,
        },
      },
    ],
    [
      "Codex's compaction",
      fernet,
      {
        type: "compacted",
        payload: { replacement_history: [{ type: "compaction", encrypted_content: fernet }] },
      },
    ],
    [
      "Gemini's thoughts",
      base64,
      {
        type: "gemini",
        content: [{ functionCall: { name: "ls", args: {} }, thoughtSignature: base64 }],
      },
    ],
    [
      "Pi's thinking, with the item of another provider inside",
      fernet,
      {
        type: "message",
        message: {
          content: [
            {
              type: "thinking",
              thinking: "",
              thinkingSignature: JSON.stringify({ id: "rs_1", encrypted_content: fernet }),
            },
          ],
        },
      },
    ],
    [
      "Copilot's reasoning",
      base64,
      { type: "assistant.message", data: { reasoningOpaque: base64, encryptedContent: fernet } },
    ],
    [
      "a picture",
      base64,
      {
        content: [
          { type: "image", source: { data: base64, type: "base64", media_type: "image/png" } },
        ],
      },
    ],
    ["a picture of Gemini", base64, { inlineData: { data: base64, mimeType: "image/png" } }],
    ["a picture of Codex", base64, { image_url: `data:image/png;base64,${base64}` }],
    ["a picture of Pi", base64, { type: "image", data: base64, mimeType: "image/png" }],
  ];
  return lines.map(([name, sealed, value]) => ({
    name: `${name}, ${size} bytes`,
    sealed,
    line: JSON.stringify(value),
  }));
});
