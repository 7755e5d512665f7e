export {
  createRedactor,
  type RedactionState,
  type Redactor,
  type RedactorOptions,
  startRedaction,
} from "./redactor.ts";
export type { Redaction } from "./report.ts";
