import { join } from "node:path";
import type { Agent } from "../agents/index.ts";
import { refreshEditorTypes } from "../extensions/index.ts";
import type { DaemonPaths } from "./daemon-paths.ts";
import { spareDescriptor } from "./descriptors.ts";
import type { ExtensionUse } from "./extension-use.ts";
import type { Log } from "./log.ts";
import type { People } from "./presence/people.ts";
import { ExtensionFinder } from "./sessions/project-extensions.ts";
import type { Surroundings } from "./sessions/session.ts";
import { SessionFolders } from "./sessions/session-folders.ts";
import { Sessions } from "./sessions/sessions.ts";
import { Unavailable } from "./unavailable.ts";
import type { Threads } from "./worker/threads.ts";

interface Around {
  readonly agents: readonly Agent[];
  readonly log: Log;
  readonly threads: Threads;
  readonly people: People;
  readonly use: ExtensionUse;
}

/** The sessions, and what clients answer for them when there is no daemon. */
export function openSessions(paths: DaemonPaths, { agents, log, threads, people, use }: Around) {
  refreshEditorTypes(paths.home);
  const finder = new ExtensionFinder(paths.home);
  const unavailable = new Unavailable(paths, agents);
  const prepare = (work: () => void) => {
    try {
      // What cannot be read now must not be taken for what is not there.
      spareDescriptor();
      work();
      unavailable.noteEverywhere(finder.look(paths.home));
    } catch (error) {
      log.failed("the answers for a missing daemon could not be written", error);
    }
  };
  prepare(() => unavailable.writeAnswers());
  const surroundings = {
    finder,
    threads,
    log,
    cacheDir: join(paths.home, "cache", "extensions"),
    home: paths.home,
    inbox: people.inbox,
    onNew: (session) => people.leading.takeUp(session),
    onShown: (session, shown) => people.shown(session, shown),
    onUse: (done) => use.add(done),
    onFound: (project) => {
      // The user's settings are part of what was found anew.
      people.inbox.look();
      prepare(() => unavailable.note(project));
    },
    closes: (cwd) => unavailable.closes(cwd),
  } satisfies Surroundings;
  const folders = new SessionFolders(paths.sessionFolders);
  const sessions = new Sessions(surroundings, folders);
  /** Whether gates close in a folder of which this may be the first that is heard. */
  const closesIn = (folder: string) => {
    prepare(() => unavailable.note(finder.look(folder)));
    return unavailable.closes(folder);
  };
  return { sessions, finder, unavailable, closesIn };
}
