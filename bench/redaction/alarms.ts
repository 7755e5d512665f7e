import { readFileSync } from "node:fs";
import type { Redactor } from "../../src/record/redact/index.ts";
import { atMost, type Case } from "../frame.ts";
import { packageFiles } from "./packages.ts";

/** Findings that were looked at and are what they are called: passwords and tokens of examples. */
const EXAMPLES: readonly string[] = JSON.parse(
  readFileSync(new URL("examples.json", import.meta.url), "utf8"),
);
const MEGABYTE = 1e6;

/** What is found in the sources of packages, where there are only examples to find. */
export async function* alarmCases(
  redactor: Redactor,
  say: (text: string) => void,
): AsyncGenerator<Case> {
  say("sources of packages");
  const examples = new Set(EXAMPLES);
  const alarms: string[] = [];
  let bytes = 0;
  let files = 0;
  let inExamples = 0;
  let inJson = 0;
  for (const { name, content } of packageFiles()) {
    bytes += content.length;
    files++;
    let known = 0;
    const { report } = await redactor.redactText(content);
    for (const { rule, line, count } of report) {
      const finding = `${name}:${line} ${rule}`;
      if (examples.has(finding)) known += count;
      else for (let times = 0; times < count; times++) alarms.push(finding);
    }
    inExamples += known;
    const result = Buffer.from(JSON.stringify({ content: content.toString() }));
    const { redactions } = await redactor.redact(result);
    const found = redactions.reduce((sum, { count }) => sum + count, 0);
    inJson += Math.max(0, found - known);
  }
  if (process.env.SHOW_ALARMS) process.stderr.write(`${alarms.join("\n")}\n`);
  const megabytes = bytes / MEGABYTE;
  const detail = [
    { name: "text", value: megabytes, unit: "MB" },
    { name: "files", value: files, unit: "" },
    { name: "examples of secrets, not counted", value: inExamples, unit: "" },
  ];
  yield atMost({
    name: "false alarms in the sources of 17 packages",
    value: alarms.length / megabytes,
    bar: 0.2,
    unit: "for each MB",
    detail,
  });
  yield atMost({
    name: "the same as results of tools",
    value: inJson / megabytes,
    bar: 0.2,
    unit: "for each MB",
    detail: [],
  });
}
