import { aboutCall, beginningOf } from "../../agents/index.ts";
import { foldersElsewhere, type HookRecord, mayRunOn } from "../../record/index.ts";

/**
 * A hook without what the record has no use for: contents that tools read or wrote can be of any
 * size and depth, and copying them from thread to thread would take the time of whoever answers.
 */
export function sendableRecord(record: HookRecord): HookRecord {
  const { input: _, result: __, ...told } = record.told;
  if (!record.reading) return { ...record, told };
  const isDecided = (told.block ?? told.ask ?? told.allowed) !== undefined;
  const { given: ___, subagent: ____, tools, ...reading } = record.reading;
  const { touches = foldersElsewhere(record) } = record;
  return {
    ...record,
    told,
    touches,
    reading: {
      ...reading,
      ...(tools && {
        tools: tools.map(({ input, result, ...tool }) => ({
          ...tool,
          // Only the command and its result tell that, and they stay here.
          ...(mayRunOn({ ...tool, input, ...(result && { result }) }) && { runsOn: true }),
          input: {
            ...(typeof input.path === "string" && { path: input.path }),
            // A call that was stopped may be written down nowhere else.
            ...(isDecided && { command: beginningOf(aboutCall(input) ?? "") }),
          },
          nativeInput: {},
          ...(result && { result: { content: [], isError: result.isError, native: undefined } }),
        })),
      }),
    },
  };
}
