import { describe, expect, it } from "vitest";
import type { CompactionPreparation } from "../../events/index.ts";
import type { ModelRequest } from "../../extensions/index.ts";
import { joinSummaries } from "./join-summaries.ts";
import { summarize } from "./summarize.ts";
import { summaryRequest, textOf } from "./summary-request.ts";
import { assistant, textOfRequest, user } from "./test-kit.ts";

const preparation: CompactionPreparation = {
  firstKeptEntryId: "e9",
  messagesToSummarize: [user("Build a bridge"), assistant("Done")],
  turnPrefixMessages: [],
  isSplitTurn: false,
  tokensBefore: 1_234,
};

describe("the request for a summary", () => {
  it("shows the conversation as text, never as a conversation to go on with", () => {
    const request = summaryRequest(textOf(preparation.messagesToSummarize));
    expect(request.messages).toHaveLength(1);
    expect(request.tools).toBeUndefined();
    expect(request.systemPrompt).toContain("do not continue it");
    expect(textOfRequest(request)).toContain("[User]: Build a bridge\n\n[Assistant]: Done");
  });

  it("brings the earlier summary, without its lists of files", () => {
    const previousSummary = joinSummaries({
      history: "A bridge was planned",
      files: { readFiles: ["plan.md"], modifiedFiles: ["bridge.ts"] },
    });
    const text = textOfRequest(summaryRequest("", previousSummary));
    expect(text).toContain("<earlier-notes>\nA bridge was planned\n</earlier-notes>");
    expect(text).not.toContain("plan.md");
    expect(text).not.toContain("bridge.ts");
  });

  it("adds what extensions and the user want considered, after the conversation", () => {
    const options = { customInstructions: "Keep the measurements", context: ["One", "Two"] };
    const text = textOfRequest(summaryRequest("A bridge", "", options));
    expect(text).toContain("<also-consider>\nOne\nTwo\n</also-consider>");
    expect(text.endsWith("Keep the measurements")).toBe(true);
  });

  it("uses an extension's prompt instead of its own", () => {
    const text = textOfRequest(summaryRequest("", "", { prompt: "One sentence, please." }));
    expect(text.endsWith("One sentence, please.")).toBe(true);
    expect(text).not.toContain("## Task");
  });
});

describe("a summary", () => {
  const answering = (...answers: string[]) => {
    const asked: ModelRequest[] = [];
    const ask = async (request: ModelRequest) => answers[asked.push(request) - 1] ?? "";
    return { ask, asked };
  };

  it("becomes a compaction with the lists of files, in its text and in its details", async () => {
    const fileOps = {
      read: new Set(["plan.md", "bridge.ts"]),
      written: new Set<string>(),
      edited: new Set(["bridge.ts"]),
    };
    const { ask } = answering("A bridge");
    expect(await summarize({ ...preparation, fileOps }, ask, { preserveData: { a: 1 } })).toEqual({
      summary:
        "A bridge\n\n<files-read>\nplan.md\n</files-read>\n\n<files-changed>\nbridge.ts\n</files-changed>",
      firstKeptEntryId: "e9",
      tokensBefore: 1_234,
      details: { readFiles: ["plan.md"], modifiedFiles: ["bridge.ts"], preserveData: { a: 1 } },
    });
  });

  it("asks twice when a turn is split, and joins the answers", async () => {
    const { ask, asked } = answering("History", "Prefix");
    const split = { ...preparation, isSplitTurn: true, turnPrefixMessages: [user("A tower")] };
    const { summary } = await summarize(split, ask);
    expect(summary).toMatch(/^History\n\n# .+\n\nPrefix$/);
    expect(textOfRequest(asked[1])).toContain("A tower");
    expect(textOfRequest(asked[0])).not.toContain("A tower");
  });

  it("keeps the earlier summary when only the first part of a turn is new", async () => {
    const { ask, asked } = answering("Prefix");
    const split = {
      ...preparation,
      messagesToSummarize: [],
      previousSummary: "Earlier\n\n<files-read>\na\n</files-read>",
      isSplitTurn: true,
      turnPrefixMessages: [user("A tower")],
    };
    const { summary } = await summarize(split, ask);
    expect(asked).toHaveLength(1);
    expect(summary).toMatch(/^Earlier\n\n# .+\n\nPrefix$/);
  });

  it("of what is too long for one question is made part by part, nothing left out", async () => {
    const most = 3_000;
    const seen: string[] = [];
    const ask = async (request: ModelRequest) => {
      const text = textOfRequest(request);
      const [, shown = ""] = /<conversation>\n([\s\S]*)\n<\/conversation>/.exec(text) ?? [];
      if (shown.length > most) throw new Error("prompt is too long");
      seen.push(shown);
      const [, notes = ""] = /<earlier-notes>\n([\s\S]*)\n<\/earlier-notes>/.exec(text) ?? [];
      return `${notes}|${seen.length}`;
    };
    const messagesToSummarize = Array.from({ length: 20 }, (_, n) =>
      user(`${n} ${"😀".repeat(300)}`),
    );
    const { summary } = await summarize({ ...preparation, messagesToSummarize }, ask);
    expect(seen.join("")).toBe(textOf(messagesToSummarize));
    expect(summary).toBe(seen.map((_, at) => `|${at + 1}`).join(""));
    const split = {
      ...preparation,
      messagesToSummarize: [],
      isSplitTurn: true,
      turnPrefixMessages: [user("x".repeat(5_000))],
    };
    seen.length = 0;
    expect((await summarize(split, ask)).summary).toMatch(/\|1\n\n\|2$/);
  });

  it("that cannot be made however little is shown fails as the model does", async () => {
    let asked = 0;
    const ask = () => {
      asked++;
      return Promise.reject(new Error("prompt is too long"));
    };
    const messagesToSummarize = [user("x".repeat(4_000))];
    await expect(summarize({ ...preparation, messagesToSummarize }, ask)).rejects.toThrow("long");
    expect(asked).toBe(4);
  });

  it("that is empty fails instead of throwing the conversation away", async () => {
    await expect(summarize(preparation, answering(" \n").ask)).rejects.toThrow("empty summary");
    const failing = () => Promise.reject(new Error("529"));
    await expect(summarize(preparation, failing)).rejects.toThrow("529");
  });

  it("does not list thousands of files in its text", async () => {
    const paths = Array.from({ length: 1_000 }, (_, index) => `file-${index}`);
    const summary = joinSummaries({ history: "h", files: { readFiles: paths, modifiedFiles: [] } });
    expect(summary.split("\n").length).toBeLessThan(210);
    expect(summary).toContain("and 800 more");
  });
});
