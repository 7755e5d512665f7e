import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { play } from "../graph/test-kit/play.ts";
import { task, workflow } from "../graph/test-kit/workflows.ts";
import type { Attempt, Run } from "../model/run.ts";
import { receiverIn, sendSpans } from "./send-spans.ts";
import { NAMES, type Span } from "./spans.ts";

const startedAt = "2026-11-17T10:00:00.000Z";
const endedAt = "2026-11-17T10:05:00.000Z";
const flow = workflow([task("a"), task("b", { dependsOn: ["a"] })]);
const run: Run = {
  id: "r1",
  goal: "Greet",
  workflow: flow,
  repository: "/r",
  base: "c0",
  target: "seam/crew/r1",
  state: "failed",
  reason: "b failed",
  budget: {},
  agents: [],
  origin: "here",
  flows: 1,
  startedAt,
  endedAt,
};
const tasks = play(flow, ({ id }) => ({ state: id === "b" ? "failed" : "done" })).tasks.map(
  (one) => ({
    ...one,
    startedAt,
    endedAt,
  }),
);
const attempt: Attempt = {
  run: "r1",
  task: "b",
  number: 1,
  agent: "codex",
  model: "gpt-5",
  session: "s1",
  worker: "here",
  folder: "/f",
  granted: {},
  setAside: {},
  use: { tokens: 10, minutes: 1, turns: 2, dollars: 0.5 },
  end: { kind: "failed", reason: "tests are red" },
  startedAt,
  endedAt,
};

async function receiver(status = 200) {
  const got: { path?: string; headers: object; body: string }[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (part) => {
      body += part;
    });
    request.on("end", () => {
      got.push({ path: request.url ?? "", headers: request.headers, body });
      response.writeHead(status).end("{}");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { got, url: `http://127.0.0.1:${port}` };
}

it("a run is sent as spans: the run, in it its tasks, in them their attempts", async () => {
  const { got, url } = await receiver();
  await sendSpans(
    { run, tasks, attempts: [attempt] },
    { OTEL_EXPORTER_OTLP_ENDPOINT: `${url}/`, OTEL_EXPORTER_OTLP_HEADERS: "x-key=a%20b, other=c" },
  );
  expect(got).toHaveLength(1);
  expect(got[0]).toMatchObject({ path: "/v1/traces", headers: { "x-key": "a b", other: "c" } });
  const { resourceSpans } = JSON.parse(got[0]?.body ?? "");
  const spans: Span[] = resourceSpans[0].scopeSpans[0].spans;
  const [whole, a, b, tried] = spans;
  expect(spans.map(({ name }) => name)).toEqual([
    "crew.run test",
    "crew.task a",
    "crew.task b",
    "crew.attempt codex",
  ]);
  expect([a, b].map((one) => one?.parentSpanId)).toEqual([whole?.spanId, whole?.spanId]);
  expect(tried?.parentSpanId).toBe(b?.spanId);
  expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
  expect(whole).toMatchObject({
    startTimeUnixNano: `${Date.parse(startedAt)}000000`,
    status: { code: 2 },
  });
  expect(tried?.attributes).toContainEqual({ key: NAMES.dollars, value: { doubleValue: 0.5 } });
  expect(tried?.status).toEqual({ code: 2, message: "tests are red" });
  const known: readonly string[] = Object.values(NAMES);
  expect(
    spans
      .flatMap(({ attributes }) => attributes.map(({ key }) => key))
      .filter((key) => !known.includes(key)),
  ).toEqual([]);
});

it("what is sent twice is the same spans twice", async () => {
  const { got, url } = await receiver();
  for (let time = 0; time < 2; time++) {
    await sendSpans(
      { run, tasks, attempts: [attempt] },
      { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: url },
    );
  }
  expect(got[0]?.body).toBe(got[1]?.body);
});

it.each([
  ["nothing is said", {}],
  ["it is switched off", { OTEL_EXPORTER_OTLP_ENDPOINT: "http://x", OTEL_SDK_DISABLED: "true" }],
  [
    "traces are not wanted",
    { OTEL_EXPORTER_OTLP_ENDPOINT: "http://x", OTEL_TRACES_EXPORTER: "none" },
  ],
  [
    "the receiver speaks gRPC",
    { OTEL_EXPORTER_OTLP_ENDPOINT: "http://x", OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" },
  ],
])("nothing is sent where %s", (_, env) => {
  expect(receiverIn(env)).toBeUndefined();
});

it("a receiver that refuses is told to whoever sends", async () => {
  const { url } = await receiver(503);
  await expect(
    sendSpans({ run, tasks, attempts: [] }, { OTEL_EXPORTER_OTLP_ENDPOINT: url }),
  ).rejects.toThrow("status 503");
});
