import type { StepAttempt, WorkflowRun } from "openworkflow/internal";
import { isRecord } from "../../values/index.ts";
import {
  type Json,
  json,
  number,
  type Row,
  text,
  textOrNothing,
} from "../database/crew-database.ts";

/** The engine can hold several worlds in one database; Seam has one. */
const NAMESPACE = "seam";

/** Sorts before every time: what is ready now stays ready, whatever the clock does. */
export const READY = "0";

const STATUSES = ["pending", "running", "completed", "failed", "canceled"] as const;
const STEP_STATUSES = ["running", "completed", "failed"] as const;
const KINDS = ["function", "sleep", "workflow", "signal-send", "signal-wait"] as const;

export function workflowRunOf(row: Row): WorkflowRun {
  return {
    namespaceId: NAMESPACE,
    id: text(row, "id"),
    workflowName: text(row, "workflow"),
    version: null,
    status: oneOf(STATUSES, row, "status"),
    idempotencyKey: text(row, "run_key"),
    config: {},
    context: jsonOrNull(row, "context"),
    input: jsonOrNull(row, "input"),
    output: jsonOrNull(row, "output"),
    error: errorOf(row),
    attempts: number(row, "claims"),
    parentStepAttemptNamespaceId: null,
    parentStepAttemptId: null,
    workerId: textOrNothing(row, "slot") ?? null,
    availableAt: time(row, "available_at"),
    deadlineAt: null,
    startedAt: time(row, "started_at"),
    finishedAt: time(row, "finished_at"),
    createdAt: new Date(text(row, "created_at")),
    updatedAt: new Date(text(row, "updated_at")),
  };
}

export function stepAttemptOf(row: Row): StepAttempt {
  return {
    namespaceId: NAMESPACE,
    id: text(row, "id"),
    workflowRunId: text(row, "run"),
    stepName: text(row, "name"),
    kind: oneOf(KINDS, row, "kind"),
    status: oneOf(STEP_STATUSES, row, "status"),
    config: {},
    context: contextOf(row),
    output: jsonOrNull(row, "output"),
    error: jsonOrNull(row, "error"),
    childWorkflowRunNamespaceId: null,
    childWorkflowRunId: null,
    startedAt: new Date(text(row, "created_at")),
    finishedAt: time(row, "finished_at"),
    createdAt: new Date(text(row, "created_at")),
    updatedAt: new Date(text(row, "updated_at")),
  };
}

function oneOf<Name extends string>(names: readonly Name[], row: Row, column: string): Name {
  const found = names.find((name) => name === row[column]);
  if (found === undefined) throw new Error(`the column ${column} holds ${String(row[column])}`);
  return found;
}

function jsonOrNull(row: Row, column: string): Json | null {
  return json(row, column) ?? null;
}

function time(row: Row, column: string): Date | null {
  const value = textOrNothing(row, column);
  if (value === undefined) return null;
  return value === READY ? new Date(0) : new Date(value);
}

function errorOf(row: Row): WorkflowRun["error"] {
  const error = json(row, "error");
  if (!isRecord(error) || typeof error.message !== "string") return null;
  return { message: error.message };
}

/** What a waiting step waits for, as the engine wrote it. */
function contextOf(row: Row): StepAttempt["context"] {
  const context = json(row, "context");
  if (!isRecord(context)) return null;
  const { kind, resumeAt, signal, timeoutAt } = context;
  if (kind === "sleep") return { kind, resumeAt: String(resumeAt) };
  if (kind === "signal-wait") return { kind, signal: String(signal), timeoutAt: String(timeoutAt) };
  return null;
}
