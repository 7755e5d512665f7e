import { type Static, Type } from "typebox";

/**
 * What an agent that does a task of a crew may do. Kept as a file while its process lives, so that a
 * daemon that comes after a killed one knows it before it answers its first hook.
 */
export const GrantSchema = Type.Object({
  /** The attempt: what its processes carry as SEAM_CREW_ATTEMPT. */
  id: Type.String(),
  agent: Type.String(),
  /** The session, where its id is known before it begins. */
  session: Type.Optional(Type.String()),
  /** The folder it works in, as the system names it. */
  workspace: Type.String(),
  /** The attempt's own folder, where the daemon notes what it heard. */
  folder: Type.String(),
  /** `read`: nothing may be changed, by any tool. */
  access: Type.Union([Type.Literal("read"), Type.Literal("write")]),
  /** Globs of the files it may change; absent: all of the workspace. */
  files: Type.Optional(Type.Array(Type.String())),
  /** Shell commands a reader may run beside the harmless ones, with `*`. */
  allowCommands: Type.Array(Type.String()),
  /** What is put before other commands of a reader, so that they can change nothing; empty: its agent sees to that; absent: it may run none. */
  sandbox: Type.Optional(Type.Array(Type.String())),
  mayPush: Type.Boolean(),
  /** Folders of the crew itself: other workspaces, what runs are made of. */
  offLimits: Type.Array(Type.String()),
});

export type Grant = Static<typeof GrantSchema>;
