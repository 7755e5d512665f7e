import type { InlineExtension } from "../../extensions/index.ts";

/** Started by a crew, the agent is held to what its task may do. */
export async function inCrew(): Promise<InlineExtension[]> {
  if (process.env.SEAM_CREW_ATTEMPT === undefined) return [];
  const { crewMember } = await import("../../crew/index.ts");
  const extension = crewMember(process.env);
  return extension ? [extension] : [];
}
