/* Starts the daemon. */
#include "client.h"

/* A start that takes longer has failed. Well below what agents wait for a gate. */
#define START_MS 60000
/* What nobody has to decide on is in the spool, and does not wait for a slow start to its end. */
#define PATIENCE_MS 10000
#define STEP_MS 20

/* The Node and the Seam that make the daemon: two lines, written by "seam enable". */
int read_program(char **node, char **seam) {
  static Text program;
  if (read_file("../bin/program", &program) < 0) return -1;
  *node = strtok(program.bytes, "\n");
  *seam = *node ? strtok(NULL, "\n") : NULL;
  return *seam ? 0 : -1;
}

/* From here on the link names the daemon: everybody who waits sees whether it still lives. */
static void name_daemon(void) {
  char self[32], link[64];
  snprintf(self, sizeof self, "%ld", (long)getpid());
  snprintf(link, sizeof link, "starting.%s", self);
  if (symlink(self, link) == 0 && rename(link, "starting") < 0) unlink(link);
}

/*
 * What would make Node load a library or a module before Seam's own code runs. The agent may have it
 * from the folder it works in.
 */
static int is_loading(const char *variable) {
  static const char *const beginnings[] = {"LD_",       "DYLD_",     "OPENSSL_", "NODE_OPTIONS=",
                                           "NODE_PATH=", "VSCODE_INSPECTOR_OPTIONS="};
  for (size_t n = 0; n < sizeof beginnings / sizeof *beginnings; n++)
    if (strncmp(variable, beginnings[n], strlen(beginnings[n])) == 0) return 1;
  return 0;
}

static void drop_loading(void) {
  char **kept = environ;
  for (char **each = environ; each && *each; each++)
    if (!is_loading(*each)) *kept++ = *each;
  if (kept) *kept = NULL;
}

/* Starts the daemon away from the agent's processes, with nothing of theirs but the environment. */
static pid_t launch(char *node, char *seam) {
  pid_t child = fork();
  if (child != 0) return child;
  setsid();
  name_daemon();
  int log = open("daemon.log", O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, 0600);
  int nothing = open("/dev/null", O_RDWR);
  dup2(nothing, 0);
  dup2(log < 0 ? nothing : log, 1);
  dup2(log < 0 ? nothing : log, 2);
  for (int fd = 3; fd < 256; fd++) close(fd);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  signal(SIGPIPE, SIG_DFL);
  drop_loading();
  setenv("SEAM_HOME", home, 1);
  if (!getenv("PATH") || !*getenv("PATH")) setenv("PATH", "/usr/local/bin:/usr/bin:/bin", 1);
  char *args[] = {node, seam, "daemon", "serve", NULL};
  execv(node, args);
  _exit(127);
}

/* The process that is to become the daemon, as the link says; 0 if there is none. */
static pid_t starter(void) {
  char text[32];
  ssize_t size = readlink("starting", text, sizeof text - 1);
  text[size < 0 ? 0 : size] = 0;
  return (pid_t)strtol(text, NULL, 10);
}

/* Since when the link is there, in milliseconds. */
static long long age_of_start(void) {
  struct stat stats;
  return lstat("starting", &stats) < 0 ? 0 : (long long)(time(NULL) - stats.st_mtime) * 1000;
}

/* Whether an extension may stop what the agent is about to do. Before the first daemon nobody knows. */
static int is_gate(void) {
  char path[300];
  snprintf(path, sizeof path, "unavailable/%s.%s", agent, hook);
  return strcmp(agent, "git") != 0 && (access(path, F_OK) == 0 || access("unavailable/removed", F_OK) < 0);
}

static void note_failure(void) {
  int fd = open("failed", O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (fd < 0) return;
  futimens(fd, NULL);
  close(fd);
}

/*
 * One of all who wait starts the daemon. A gate waits as long as that start is alive. Returns when
 * the daemon cannot be reached.
 */
Reached start(char *node, char *seam, const char *path, const Text *body) {
  Reached reached = NOBODY;
  pid_t child = -1;
  int again = 2;
  char self[32];
  if (access(".", W_OK) < 0 || access(node, X_OK) < 0) return NOBODY;
  if (is_young("failed", 60)) return NOBODY;
  snprintf(self, sizeof self, "%ld", (long)getpid());
  for (long long began = now_ms();; pause_ms(STEP_MS)) {
    /* First, and right before the link: a daemon that is up has removed it, and needs no second. */
    if (access("daemon.sock", F_OK) == 0) {
      reached = ring(path, body);
      if (reached != NOBODY) return reached;
    }
    long long waited = now_ms() - began;
    if (symlink(self, "starting") == 0) {
      child = launch(node, seam);
      continue;
    }
    int died = child > 0 && waitpid(child, NULL, WNOHANG) == child;
    pid_t who = starter();
    long long age = age_of_start();
    if (died || (who > 0 && kill(who, 0) < 0 && errno == ESRCH)) {
      /* It was killed before it was up. Not for the third time: then it cannot run. */
      if (died && again-- == 0) break;
      if (!died || who == child || who == getpid()) unlink("starting");
      if (died) child = -1;
    } else if (age >= START_MS) {
      unlink("starting");
      /* If the link was that old when this client came, nobody has tried of late. */
      if (age - waited < START_MS) break;
    } else if (waited >= PATIENCE_MS && who > 0 && !is_gate()) {
      return reached;
    }
    if (waited >= (who > 0 ? START_MS : PATIENCE_MS)) break;
  }
  note_failure();
  if (child > 0 && starter() == child) unlink("starting");
  return reached;
}
