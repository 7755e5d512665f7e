import { describe, expect, it } from "vitest";
import { RpcUI } from "./rpc-ui.ts";

function setUp() {
  const sent: Record<string, unknown>[] = [];
  const rpc = new RpcUI((message) => sent.push({ ...message }));
  return { rpc, ui: rpc.ui, sent };
}

describe("a question to a user at the other end of a pipe", () => {
  it("is withdrawn when its signal fires, or was never asked if it had fired already", async () => {
    const { ui, sent } = setUp();
    const controller = new AbortController();
    const asked = ui.confirm("Sure?", "", { signal: controller.signal });
    controller.abort();
    expect(await asked).toBe(false);
    expect(await ui.select("Which?", ["a"], { signal: controller.signal })).toBeUndefined();
    expect(sent).toHaveLength(1);
  });

  it("takes only the answer with its id", async () => {
    const { rpc, ui, sent } = setUp();
    const asked = ui.input("Name?");
    expect(rpc.answer({ id: "other", value: "x" })).toBe(false);
    const answer = { id: sent[0]?.id, value: "Ada" };
    expect(rpc.answer(answer)).toBe(true);
    expect(await asked).toBe("Ada");
    expect(rpc.answer(answer)).toBe(false);
  });

  it("is not answered by something of another kind", async () => {
    const { rpc, ui, sent } = setUp();
    const name = ui.input("Name?");
    rpc.answer({ id: sent[0]?.id, value: 5 });
    expect(await name).toBeUndefined();
    const sure = ui.confirm("Sure?", "");
    rpc.answer({ id: sent[1]?.id, confirmed: "yes" });
    expect(await sure).toBe(false);
  });

  it("is dismissed when nobody is there any more", async () => {
    const { rpc, ui, sent } = setUp();
    const open = ui.select("Which?", ["a"]);
    rpc.close();
    expect(await open).toBeUndefined();
    expect(await ui.confirm("Sure?", "")).toBe(false);
    expect(sent).toHaveLength(1);
  });
});

describe("what is shown", () => {
  it("goes out as it is; components cannot", () => {
    const { ui, sent } = setUp();
    ui.notify("done");
    ui.setWidget("lines", ["a"]);
    ui.setWidget("component", () => ({ render: () => [], invalidate: () => {} }));
    ui.setWidget("lines", undefined);
    ui.setStatus("s", undefined);
    expect(sent).toMatchObject([
      { method: "notify", message: "done", notifyType: "info" },
      { method: "setWidget", widgetKey: "lines", widgetLines: ["a"] },
      { method: "setWidget", widgetKey: "lines", widgetLines: undefined },
      { method: "setStatus", statusKey: "s", statusText: undefined },
    ]);
    expect(new Set(sent.map(({ id }) => id)).size).toBe(4);
  });

  it("text for the editor can be read back", () => {
    const { ui } = setUp();
    ui.setEditorText("draft");
    expect(ui.getEditorText()).toBe("draft");
  });
});
