/** The thread that records: whatever it takes, the one that answers hooks is free meanwhile. */
import { parentPort, workerData } from "node:worker_threads";
import { messageOf } from "../../errors/index.ts";
import { type HookRecord, openRecorder } from "../../record/index.ts";
import { agentFor } from "../agent-packages.ts";
import type { FromRecordWorker, RecordCall, RecordTask, ToRecordWorker } from "./protocol.ts";

const { version } = workerData as RecordTask;
const send = (message: FromRecordWorker) => parentPort?.postMessage(message);

const recorder = openRecorder({
  version,
  log: (level, text, error) =>
    send({ say: "log", level, text, ...(error !== undefined && { error: messageOf(error) }) }),
});

/** An agent that does not come with Seam has to be known in this thread too. */
async function accept(record: HookRecord): Promise<void> {
  if (record.cwd !== undefined) await agentFor(record.agent, record.cwd);
  return recorder.accept(record);
}

function perform(call: RecordCall): Promise<void> {
  switch (call.method) {
    case "accept":
      return accept(call.record);
    case "git":
      return recorder.git(call.request);
    case "lost":
      return recorder.lost(call.folder, call.what);
    case "forget":
      return recorder.forget(call.folder, call.session);
    case "endGone":
      return recorder.endGone();
    case "sweep":
      return recorder.sweep();
    case "close":
      return recorder.close();
  }
}

let told = "[]";

function tellProblems(): void {
  const problems = recorder.problems();
  const now = JSON.stringify(problems);
  if (now === told) return;
  told = now;
  send({ say: "problems", problems });
}

async function answer(id: number, call: RecordCall): Promise<void> {
  try {
    await perform(call);
    tellProblems();
    send({ say: "done", id });
  } catch (error) {
    send({ say: "done", id, error: messageOf(error) });
  }
}

parentPort?.on("message", (message: ToRecordWorker) => {
  if (message.do === "overtaken") recorder.overtaken(message.hookId);
  else void answer(message.id, message.call);
});
send({ say: "ready" });
