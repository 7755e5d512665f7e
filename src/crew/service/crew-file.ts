import { join } from "node:path";

/** The file in which the crews of one user are, unless the settings name a server. */
export const crewFile = (home: string) => join(home, "crew", "crew.db");
