/*
 * agentseam: what a coding agent runs for a hook. Usage: hook <agent> <hook>, the payload on stdin;
 * or hook --start, which only starts the daemon; or hook --mcp, for which see mcp.c.
 *
 * "seam enable" compiles this folder where there is a compiler, tries the program, and puts it in
 * the place of the shell client, which does the same with several processes. The payload goes to the
 * spool, the daemon is rung, its answer is printed. If Seam itself fails, nothing is printed and the
 * exit code is 0, unless an extension must not be missing: then what the daemon prepared is printed.
 *
 * It works inside the run folder: names stay short, also for the socket. It starts nothing but the
 * daemon, needs no PATH and no HOME, and passes nothing secret on a command line.
 */
#include "client.h"

const char *agent, *hook;
int is_mute;
char home[PATH_MAX], folder[PATH_MAX], real[PATH_MAX], spooled[320];

/*
 * The payload's file, written whole or not at all: what is in the way, or has no room, is left. The
 * daemon knows a file by its name and its time, so one that it may have been sent already has those.
 */
static void spool(const Text *payload) {
  struct timespec times[2] = {early.at, early.at};
  for (int n = 0; n <= (early.is_sent ? 0 : 9); n++) {
    snprintf(spooled, sizeof spooled, "spool/%s~%s~%ld~%ld~%d", agent, hook, (long)getppid(),
             (long)getpid(), n);
    int fd = open(spooled, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0 && errno == EEXIST) continue;
    if (fd < 0) break;
    int failed = write_all(fd, payload->bytes, payload->size);
    if (early.is_sent) futimens(fd, times);
    if (fchmod(fd, 0600) == 0 && close(fd) == 0 && !failed) return;
    unlink(spooled);
    break;
  }
  *spooled = 0;
}

static int is_name(const char *text) {
  size_t size = strlen(text);
  return size > 0 && size <= 100 && strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                                 "0123456789._-") == size;
}

/* Where the agent runs. Its own word for it counts if it is the same folder. */
static void find_folder(void) {
  struct stat here, there;
  const char *given = getenv("PWD");
  if (!getcwd(real, sizeof real)) *real = 0;
  int fits = given && given[0] == '/' && strlen(given) < sizeof folder;
  int same = fits && stat(given, &there) == 0 && stat(".", &here) == 0 &&
             here.st_ino == there.st_ino && here.st_dev == there.st_dev;
  strcpy(folder, same || (fits && !*real) ? given : real);
}

/* Into the run folder beside the one this program lies in. */
static int enter(const char *program) {
  const char *slash = strrchr(program, '/');
  char bin[PATH_MAX];
  if (!slash || (size_t)(slash - program) >= sizeof bin - 4) return -1;
  snprintf(bin, sizeof bin, "%.*s/..", (int)(slash - program), program);
  if (chdir(bin) < 0 || !getcwd(home, sizeof home)) return -1;
  size_t size = (size_t)(slash - program);
  /* Called as <home>/bin/hook: the name before it is the one the user gave. */
  if (program[0] == '/' && size > 4 && strncmp(slash - 4, "/bin", 4) == 0)
    snprintf(home, sizeof home, "%.*s", (int)(size - 4), program);
  mkdir("run", 0700);
  if (chdir("run") < 0) return -1;
  mkdir("spool", 0700);
  return 0;
}

static int is_missing(const char *path) {
  return access(path, F_OK) < 0 && (errno == ENOENT || errno == ENOTDIR);
}

/* For a payload that goes along because it has no file. It may have gone along before. */
static void name_without_file(char *path, size_t room) {
  int size = snprintf(path, room, "/v1/hook?agent=%s&hook=%s&pid=%ld", agent, hook, (long)getppid());
  if (early.is_sent)
    snprintf(path + size, room - (size_t)size, "&id=%s@%lld%09ld", early.name, (long long)early.at.tv_sec,
             early.at.tv_nsec);
}

int main(int count, char **args) {
  Text payload = {0};
  char path[800], *node, *seam;
  int nothing;
  agent = count > 1 ? args[1] : "";
  if (count > 4 && strcmp(agent, "--mcp") == 0) return serve_mcp(args + 2);
  int starts = strcmp(agent, "--start") == 0;
  hook = starts ? "none" : count > 2 ? args[2] : "";
  if (!is_name(agent) || !is_name(hook)) return 0;
  is_mute = fcntl(1, F_GETFD) < 0;
  /* In the place of a standard stream that is closed, the next file to be opened would be taken for it. */
  while ((nothing = open("/dev/null", O_RDWR)) >= 0 && nothing < 3) continue;
  if (nothing >= 0) close(nothing);
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);
  if (!starts && !early.fd && !early.is_sent) connect_early(args[0]);
  find_folder();
  if (enter(args[0]) < 0) return 0;
  if (starts) {
    strcpy(path, "/v1/ring/none");
  } else {
    if (early.size > 0) add(&payload, early.payload, early.size);
    if (!early.is_whole && !isatty(0)) read_all(0, &payload);
    if (!payload.bytes) add(&payload, "", 0);
    /* A daemon that answers has it. */
    if (early.replied == 0) spool(&payload);
    if (*spooled) snprintf(path, sizeof path, "/v1/ring/%s", spooled + strlen("spool/"));
    else name_without_file(path, sizeof path);
    if (*spooled) payload.size = 0;
  }
  Reached reached = ring(path, &payload);
  if (starts && reached != NOBODY) return 0;
  if (reached == NOBODY && read_program(&node, &seam) == 0) {
    if (!starts && (is_missing(node) || is_missing(seam))) removed();
    reached = start(node, seam, path, &payload);
  }
  if (!starts) gone(reached == HANGS ? "hangs" : reached == NOBODY ? "no-daemon" : "no-answer");
  return 0;
}
