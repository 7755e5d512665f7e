import { spawnSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { chromium, type Page } from "playwright-core";
import { ClaudeLines } from "../../src/view/test-kit/claude-lines.ts";
import { atMost, type Case, interleave, medians, pairedRatio } from "../frame.ts";
import { end, newPlace, type Place, startDaemon } from "../hooks/daemon.ts";
import { addressOf } from "./page.ts";

const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"];
const [LONG, SHORT] = [100_000, 1_000];
const ROUNDS = 7;

/** A session that nobody has opened yet, in a real browser, until its last entry is on the screen. */
export async function* firstPaintCases(
  folder: string,
  say: (text: string) => void,
): AsyncGenerator<Case> {
  if (!existsSync(CHROMIUM)) {
    say(`no browser (${CHROMIUM} is missing; npm run test:browser installs it)`);
    return;
  }
  say(`sessions of ${LONG} and ${SHORT} entries in Chromium`);
  const place = await newPlace(join(folder, "paint"));
  const daemon = await startDaemon(place);
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    const url = addressOf(place);
    await page.goto(url.href);
    await page.locator("#app > *").first().waitFor({ state: "attached" });
    const texts = { long: transcript(LONG), short: transcript(SHORT) };
    let nth = 0;
    const measure = (text: string, entries: number) => async () => {
      const session = `paint${nth++}`;
      writeFileSync(join(place.home, `${session}.jsonl`), text);
      begin(place, session);
      return paint(page, url, session, entries);
    };
    const series = await interleave(
      { long: measure(texts.long, LONG), short: measure(texts.short, SHORT) },
      { rounds: ROUNDS, warmUps: 1 },
    );
    yield atMost({
      name: `page: a session of ${LONG} entries to first paint`,
      value: pairedRatio(series.long, series.short),
      bar: 1.5,
      unit: `times one of ${SHORT}`,
      detail: [
        ...medians({ long: series.long, short: series.short }, "ms"),
        { name: "size of the long one", value: texts.long.length / 1e6, unit: "MB" },
      ],
    });
  } finally {
    await browser.close();
    await end(daemon);
  }
}

function transcript(entries: number): string {
  const lines = new ClaudeLines();
  for (let n = 0; n < entries / 2; n++) {
    lines.prompt(`Prompt ${n}: look at the parser`).answer(`Answer ${n + 1} of ${entries / 2}.`);
  }
  return lines.text;
}

function begin({ home, project, env }: Place, session: string): void {
  const input = JSON.stringify({
    session_id: session,
    transcript_path: join(home, `${session}.jsonl`),
    cwd: project,
    hook_event_name: "SessionStart",
    source: "startup",
  });
  spawnSync(join(home, "bin/hook"), ["claude-code", "SessionStart"], { cwd: project, env, input });
}

async function paint(page: Page, url: URL, session: string, entries: number): Promise<number> {
  const startedAt = performance.now();
  await page.goto(new URL(`session/claude-code/${session}`, url.origin).href, {
    waitUntil: "commit",
  });
  await page.getByText(`Answer ${entries / 2} of ${entries / 2}.`).waitFor();
  return performance.now() - startedAt;
}
