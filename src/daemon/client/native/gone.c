/* What is done without a daemon: what the user chose, and the user is told. */
#include "client.h"

/* Only while nobody takes them up do payloads stay in the spool, and not without end. */
#define MOST_SPOOLED 1000
#define MOST_SPOOLED_BYTES (200LL * 1024 * 1024)
#define MOST_NOTED (64 * 1024)
#define DAY_S 86400

/* What the user should hear of is left for the daemon and for "seam doctor". */
static void note(const char *what) {
  struct stat stats;
  char line[400];
  int fd = open("missed", O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (fd < 0) return;
  int size = snprintf(line, sizeof line, "%lld %s %s %s\n", (long long)time(NULL), agent, hook, what);
  if (size > 0 && size < (int)sizeof line && fstat(fd, &stats) == 0 && stats.st_size < MOST_NOTED)
    write_all(fd, line, (size_t)size);
  close(fd);
}

static int is_below(const char *path, const char *root, size_t size) {
  return strncmp(path, root, size) == 0 && (path[size] == '/' || path[size] == 0);
}

/* Whether gates close in this folder while there is no daemon. They do where that cannot be read. */
static int is_closed(void) {
  Text block = {0};
  struct stat stats;
  if (read_file("block", &block) < 0) return lstat("block", &stats) == 0;
  for (char *root = strtok(block.bytes, "\n"); root; root = strtok(NULL, "\n")) {
    size_t size = strlen(root);
    if (size > 0 && root[size - 1] == '/') size--;
    if (!*folder && !*real) return 1;
    if ((*folder && is_below(folder, root, size)) || (*real && is_below(real, root, size))) return 1;
  }
  return 0;
}

/* Prints a prepared answer and ends with its code. Comes back if there is none. */
static void print_prepared(const char *kind) {
  char path[300];
  Text answer = {0}, error = {0};
  snprintf(path, sizeof path, "unavailable/%s.%s%s", agent, hook, kind);
  if (read_file(path, &answer) < 0) return;
  char *text = strchr(answer.bytes, '\n');
  snprintf(path, sizeof path, "unavailable/%s.%s%s.err", agent, hook, kind);
  if (read_file(path, &error) == 0) write_all(2, error.bytes, error.size);
  int code = (int)strtol(answer.bytes, NULL, 10) & 127;
  if (text && print_answer(text + 1, answer.size - (size_t)(text + 1 - answer.bytes)) < 0) code = UNSAID;
  exit(code);
}

/* What waits for a daemon that does not come must not fill the disk. */
static int spool_is_full(void) {
  long long bytes = 0;
  int files = 0;
  struct stat stats;
  DIR *spool = opendir("spool");
  if (!spool) return 0;
  for (struct dirent *entry = readdir(spool); entry; entry = readdir(spool)) {
    if (entry->d_name[0] == '.') continue;
    files++;
    if (fstatat(dirfd(spool), entry->d_name, &stats, AT_SYMLINK_NOFOLLOW) == 0) bytes += stats.st_size;
  }
  closedir(spool);
  return files > MOST_SPOOLED || bytes > MOST_SPOOLED_BYTES;
}

/* There is no answer: gates are open, unless an extension of this project must not be missing. */
void gone(const char *why) {
  char what[64];
  int closed = is_closed();
  if (*spooled && spool_is_full()) {
    unlink(spooled);
    note("not-kept");
  }
  snprintf(what, sizeof what, "%s %s", why, closed ? "closed" : "open");
  note(what);
  if (closed) print_prepared("");
  exit(0);
}

/* True once a day. */
static int is_new(const char *mark) {
  if (is_young(mark, DAY_S)) return 0;
  int fd = open(mark, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (fd < 0) return 0;
  futimens(fd, NULL);
  close(fd);
  return 1;
}

/* Seam was removed and its hooks were not: nothing is kept, and the user is told, but not each time. */
void removed(void) {
  char path[300];
  if (*spooled) unlink(spooled);
  if (is_closed()) print_prepared(".removed");
  snprintf(path, sizeof path, "unavailable/%s.%s.message", agent, hook);
  if (access(path, R_OK) == 0) {
    if (is_new("removed-shown")) print_prepared(".message");
  } else if (strcmp(agent, "git") != 0 && is_new("removed-said")) {
    Text text = {0};
    if (read_file("unavailable/removed", &text) == 0) write_all(2, text.bytes, text.size);
  }
  exit(0);
}
