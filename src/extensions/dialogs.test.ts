import { describe, expect, it } from "vitest";
import type { DialogOptions, ExtensionUIContext } from "./api/ui.ts";
import { load, stubHost, stubUi, TOOL_CALL } from "./test-kit/index.ts";

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const DEADLINE_MS = 60;

/** A gate that asks, with a deadline much shorter than a person needs. */
const asking = (question: string, after = "") => `export default (pi) => {
  pi.on("tool_call", async (_event, ctx) => {
    const answer = await ctx.ui.${question};
    seen.push(answer);
    ${after}
    return answer ? undefined : { block: true, reason: "said no" };
  }, { deadlineMs: ${DEADLINE_MS} });
};`;

async function ask(question: string, ui: Partial<ExtensionUIContext>, after = "") {
  const loaded = await load({ "gate.ts": asking(question, after) });
  loaded.set.bind(stubHost({ ui: stubUi(ui) }));
  return loaded;
}

const slowly = <T>(answer: T) => wait(DEADLINE_MS * 4).then(() => answer);

describe("while a person is asked the handler's clock stands still", () => {
  it.each<[string, Partial<ExtensionUIContext>]>([
    ["select('?', ['a', 'b'])", { select: () => slowly("a") }],
    ["confirm('?', 'sure')", { confirm: () => slowly(true) }],
    ["input('?')", { input: () => slowly("text") }],
    ["editor('?')", { editor: () => slowly("text") }],
    ["custom(() => ({}))", { custom: <T>() => slowly("done" as T) }],
  ])("%s", async (question, ui) => {
    const { set, codes, seen } = await ask(question, ui);
    const decision = await set.dispatcher.emit(TOOL_CALL);
    expect(decision).toMatchObject({ blocked: false });
    expect(seen).toHaveLength(1);
    expect(codes()).toEqual([]);
  });

  it("and goes on after the answer", async () => {
    const { set, codes } = await ask(
      "confirm('?', '')",
      { confirm: () => slowly(true) },
      "await new Promise(() => {});",
    );
    const decision = await set.dispatcher.emit(TOOL_CALL);
    expect(decision).toMatchObject({ blocked: true, failed: true });
    expect(codes()).toEqual(["SEAM_HANDLER_TIMEOUT"]);
  });

  it("and goes on after a dialog that failed", async () => {
    const { set, codes } = await load({
      "gate.ts": `export default (pi) => {
        pi.on("tool_call", async (_event, ctx) => {
          await ctx.ui.confirm("?", "").catch(() => {});
          await new Promise(() => {});
        }, { deadlineMs: ${DEADLINE_MS} });
      };`,
    });
    const confirm = () => Promise.reject(new Error("no terminal"));
    set.bind(stubHost({ ui: stubUi({ confirm }) }));
    await set.dispatcher.emit(TOOL_CALL);
    expect(codes()).toEqual(["SEAM_HANDLER_TIMEOUT"]);
  });

  it("not when the handler only shows something", async () => {
    const { set, codes } = await load({
      "gate.ts": `export default (pi) => {
        pi.on("tool_call", async (_event, ctx) => {
          ctx.ui.notify("still here");
          await new Promise(() => {});
        }, { deadlineMs: ${DEADLINE_MS} });
      };`,
    });
    set.bind(stubHost({ ui: stubUi({ notify: () => {} }) }));
    await set.dispatcher.emit(TOOL_CALL);
    expect(codes()).toEqual(["SEAM_HANDLER_TIMEOUT"]);
  });
});

describe("a dialog is given a signal", () => {
  function remembering() {
    const asked: (DialogOptions | undefined)[] = [];
    const open = (signal: AbortSignal | undefined) =>
      new Promise<undefined>((resolve) => {
        signal?.addEventListener("abort", () => resolve(undefined));
      });
    const ui: Partial<ExtensionUIContext> = {
      select: (_title, _options, opts) => {
        asked.push(opts);
        return open(opts?.signal);
      },
      input: (_title, _placeholder, opts) => {
        asked.push(opts);
        return open(opts?.signal);
      },
      confirm: (_title, _message, opts) => {
        asked.push(opts);
        return Promise.resolve(true);
      },
    };
    return { ui, asked };
  }

  it.each(["select('?', ['a'])", "input('?')"])("that closes %s on abort", async (question) => {
    const { ui, asked } = remembering();
    const { set, seen } = await ask(question, ui);
    const abort = new AbortController();
    const deciding = set.dispatcher.emit(TOOL_CALL, { signal: abort.signal });
    expect(asked[0]?.signal?.aborted).toBe(false);
    abort.abort();
    expect(await deciding).toMatchObject({ aborted: true });
    await wait(0);
    expect(asked[0]?.signal?.aborted).toBe(true);
    expect(seen).toEqual([undefined]);
  });

  it("that fires when the handler's time is up", async () => {
    const { ui, asked } = remembering();
    const { set } = await ask("confirm('?', '')", ui, "await new Promise(() => {});");
    await set.dispatcher.emit(TOOL_CALL);
    expect(asked[0]?.signal?.aborted).toBe(true);
  });

  it("beside the extension's own, which also closes it", async () => {
    const { ui, asked } = remembering();
    const { set, seen } = await ask(
      "select('?', ['a'], { signal: AbortSignal.timeout(10), timeout: 77 })",
      ui,
    );
    expect(await set.dispatcher.emit(TOOL_CALL)).toMatchObject({ reason: "said no" });
    expect(asked[0]).toMatchObject({ timeout: 77 });
    expect(seen).toEqual([undefined]);
  });
});
