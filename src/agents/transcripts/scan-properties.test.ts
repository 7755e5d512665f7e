import { appendFileSync, writeFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../../test/setup/sample.ts";
import type { SkillEvent } from "../../events/index.ts";
import { TRANSCRIPT_FORMATS } from "../recognise-transcript.ts";
import { scanTranscript } from "./scan.ts";
import type { Scan } from "./scan-result.ts";
import type { ScanState } from "./scan-state.ts";
import { FIXTURES, fixture, fixtureContent, tempFile } from "./test-kit.ts";

/** What several scans told together. */
function together(scans: readonly Scan[]) {
  const skills = new Map<string | undefined, SkillEvent>();
  for (const { facts } of scans) for (const skill of facts.skills) skills.set(skill.id, skill);
  return {
    prompts: scans.flatMap(({ facts }) => facts.prompts),
    files: [...new Set(scans.flatMap(({ facts }) => facts.files))].sort(),
    skills: [...skills.values()],
    answers: scans.flatMap(({ facts }) => facts.lastAnswer ?? []).at(-1),
    model: scans.flatMap(({ facts }) => facts.model ?? []).at(-1),
    summary: scans.flatMap(({ facts }) => facts.summary ?? []).at(-1),
    compactions: scans.reduce((sum, { facts }) => sum + facts.compactions, 0),
    toolResults: scans.reduce((sum, { facts }) => sum + facts.toolResults, 0),
    total: scans.at(-1)?.total,
    position: scans.at(-1)?.state.position,
  };
}

describe("a transcript that is read while it is written", () => {
  // A call that fails later cannot be taken back, so files may be more; see the next test.
  it.each(FIXTURES)("says the same in the end, wherever it was cut: %s %s", async (agent, name) => {
    const format = TRANSCRIPT_FORMATS[agent];
    const content = fixtureContent(agent, name);
    const path = tempFile();
    const { files, ...whole } = together([await scanTranscript(format, fixture(agent, name))]);
    const cuts = fc.uniqueArray(fc.nat({ max: content.length }), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(cuts, async (places) => {
        writeFileSync(path, "");
        const scans: Scan[] = [];
        let from: ScanState | undefined;
        let at = 0;
        for (const place of [...places.sort((a, b) => a - b), content.length]) {
          appendFileSync(path, content.subarray(at, place));
          at = place;
          const scan = await scanTranscript(format, path, { from });
          expect(scan.restarted).toBeUndefined();
          scans.push(scan);
          from = JSON.parse(JSON.stringify(scan.state));
        }
        const parts = together(scans);
        expect(parts).toMatchObject(whole);
        expect(parts.files).toEqual(expect.arrayContaining(files));
      }),
      runs(25),
    );
  });

  it.each(FIXTURES)(
    "has the same tokens whether all is read or only them: %s %s",
    async (a, name) => {
      const all = await scanTranscript(TRANSCRIPT_FORMATS[a], fixture(a, name));
      const tokens = await scanTranscript(TRANSCRIPT_FORMATS[a], fixture(a, name), {
        want: "tokens",
      });
      expect(tokens.total).toEqual(all.total);
      expect(tokens.state.position).toBe(all.state.position);
      expect(tokens.linesParsed).toBeLessThan(all.linesParsed);
    },
  );
});
