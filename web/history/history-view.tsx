import { Boundary } from "../app/boundary.tsx";
import { Link } from "../app/link.tsx";
import { Page } from "../app/page.tsx";
import { Top } from "../app/top.tsx";
import { address, viewAddress } from "../data/route.ts";
import { CheckpointPage } from "./checkpoint-page.tsx";
import { Log } from "./log.tsx";
import { RewindPage } from "./rewind-page.tsx";
import { SearchBox } from "./search-box.tsx";
import { SearchResults } from "./search-results.tsx";
import { isSearch } from "./search-wish.ts";

/** What agents did: found by words, or by repository, branch and commit. */
export function HistoryView() {
  const { query } = address.value;
  const { repository, rewind, undo, checkpoint } = query;
  const isRewind = repository !== undefined && (rewind !== undefined || undo !== undefined);
  const isInside = isRewind || (repository !== undefined && checkpoint !== undefined);
  return (
    <main class="middle">
      <Top title={isRewind ? "Rewind" : "History"}>
        {isInside && (
          <Link class="button" to={viewAddress("history", { repository })}>
            Back to the log
          </Link>
        )}
      </Top>
      <Page>
        <Boundary what="History" key={isInside ? `${rewind}${checkpoint}` : "log"}>
          {isRewind && (
            <RewindPage
              wish={
                rewind === undefined
                  ? { repository, undo: true }
                  : {
                      repository,
                      to: rewind,
                      ...(query.moment === "start" || query.moment === "end"
                        ? { moment: query.moment }
                        : {}),
                    }
              }
            />
          )}
          {!isRewind && repository !== undefined && checkpoint !== undefined && (
            <CheckpointPage repository={repository} id={checkpoint} />
          )}
          {!isInside && (
            <>
              <SearchBox />
              {isSearch(query) ? <SearchResults /> : <Log />}
            </>
          )}
        </Boundary>
      </Page>
    </main>
  );
}
