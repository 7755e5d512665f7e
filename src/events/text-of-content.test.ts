import { expect, it } from "vitest";
import { textOfContent } from "./text-of-content.ts";

const text = (words: string) => ({ type: "text" as const, text: words });
const picture = { type: "image" as const, data: "", mimeType: "image/png" };

it("is the string itself", () => {
  expect(textOfContent("as it is")).toBe("as it is");
});

it("is every text block, one below the other, and nothing of the others", () => {
  const call = { type: "toolCall" as const, id: "1", name: "read", arguments: {} };
  const thought = { type: "thinking" as const, thinking: "hm" };
  expect(textOfContent([text("one"), thought, call, picture, text("two")])).toBe("one\ntwo");
});

it("has words for its images if somebody gives them", () => {
  const image = ({ mimeType }: { mimeType: string }) => `[${mimeType}]`;
  expect(textOfContent([text("one"), picture], { image })).toBe("one\n[image/png]");
});
