/*
 * Seam's MCP server, as long as an agent only wants to know what there is. Usage: hook --mcp <the user's
 * Seam folder> <command...>. Every session of an agent starts a server and waits for its tools, and few
 * call one: this passes the greeting and the lists on to the daemon, at a small part of what it takes to
 * start Node. Whatever else the client says, and a daemon that is not there, is left to the command,
 * which takes the place of this program and goes on where it stopped.
 */
#include "client.h"
#ifdef __linux__
#include <sys/mman.h>
#endif

/* A daemon that does not take the connection at once is left to the command, which knows more ways. */
#define GREETING_MS 2000
/* What is left to the command waits so long for the answers before it; then they are left to it too. */
#define ANSWERS_MS 5000
/* No list is asked for in so many words. */
#define LONGEST_LINE (256 * 1024)
#define MOST_WAITING 16
/* Of a number that everybody can read and write without losing any of it. */
#define MOST_DIGITS 15

/* What only asks, and may be asked again. */
static const char *const asking[] = {"initialize",     "tools/list",
                                     "prompts/list",   "resources/list",
                                     "ping",           "resources/templates/list",
                                     "server/discover"};

typedef struct {
  const char *bytes;
  size_t size;
} Slice;

static char **command;
/* The connection; -1 once the daemon is gone. */
static int daemon_fd = -1;
/* What the client said that was not dealt with; it may end within a line. */
static Text said;
/* What came from the daemon and is still to be unpacked, and the line that it makes. */
static Text packed, heard;
/* How much of the piece that is being unpacked is still to come. */
static size_t piece_left;
/* The greeting and what the client says after its answer, kept for the next daemon: lines without their end. */
static Text greeting, greeted;
static int is_greeted;
/* Requests without an answer. */
static struct {
  Text line;
  Slice id;
} waiting[MOST_WAITING];
static size_t waiting_count;

static int is_space(char one) { return one == ' ' || one == '\t' || one == '\r' || one == '\n'; }

/* Behind a string that begins here; NULL if it does not end. */
static const char *behind_string(const char *at, const char *end) {
  for (at++; at < end; at++) {
    if (*at == '\\') at++;
    else if (*at == '"') return at + 1;
  }
  return NULL;
}

/* Behind a value that begins here, be it nested or not; NULL if it does not end. */
static const char *behind_value(const char *at, const char *end) {
  for (int depth = 0; at && at < end;) {
    if (*at == '"') {
      at = behind_string(at, end);
      continue;
    }
    if (depth == 0 && (*at == ',' || *at == '}')) return at;
    if (*at == '{' || *at == '[') depth++;
    if (*at == '}' || *at == ']') depth--;
    at++;
  }
  return NULL;
}

/* A member of the object that is a line: 1 if it is there, 0 if it is not, -1 if the line makes no sense. */
static int member(const Text *line, const char *name, Slice *value) {
  const char *at = line->bytes, *end = at + line->size;
  size_t length = strlen(name);
  while (at < end && is_space(*at)) at++;
  if (at == end || *at++ != '{') return -1;
  for (;;) {
    while (at < end && is_space(*at)) at++;
    if (at < end && *at == '}') return 0;
    if (at == end || *at != '"') return -1;
    const char *key = at + 1;
    if (!(at = behind_string(at, end))) return -1;
    int is_it = (size_t)(at - 1 - key) == length && memcmp(key, name, length) == 0;
    while (at < end && is_space(*at)) at++;
    if (at == end || *at++ != ':') return -1;
    while (at < end && is_space(*at)) at++;
    const char *begin = at;
    if (!(at = behind_value(at, end)) || at == begin) return -1;
    if (is_it) {
      while (is_space(at[-1])) at--;
      *value = (Slice){begin, (size_t)(at - begin)};
      return 1;
    }
    if (*at == ',') at++;
  }
}

/* Whether a value is this text, in quotes. */
static int is_text(Slice value, const char *text) {
  size_t size = strlen(text);
  return value.size == size + 2 && value.bytes[0] == '"' && memcmp(value.bytes + 1, text, size) == 0;
}

static int is_asking(Slice method) {
  for (size_t n = 0; n < sizeof asking / sizeof *asking; n++)
    if (is_text(method, asking[n])) return 1;
  return 0;
}

/* Whether an answer is sure to have this id in the same letters: a text without escapes, a small whole number. */
static int is_plain(Slice id) {
  if (id.bytes[0] == '"') return !memchr(id.bytes, '\\', id.size);
  if (id.bytes[0] == '0') return id.size == 1;
  size_t size = 0;
  while (size < id.size && isdigit((unsigned char)id.bytes[size])) size++;
  return size == id.size && size <= MOST_DIGITS;
}

/* An empty file that has no name; -1 if there can be none. */
static int nameless_file(void) {
#ifdef __linux__
  int fd = memfd_create("seam-mcp", 0);
  if (fd >= 0) return fd;
#endif
  FILE *file = tmpfile();
  return file ? dup(fileno(file)) : -1;
}

/*
 * The command goes on in this process, which the daemon may know by its number. It is handed the greeting,
 * what follows its answer, and everything that is not dealt with: one line, one line, and all the rest.
 */
static void hand_over(void) {
  char number[16];
  Text handed = {0};
  int failed = is_greeted ? add(&handed, greeting.bytes, greeting.size) : 0;
  failed |= add(&handed, "\n", 1);
  if (greeted.size > 0) failed |= add(&handed, greeted.bytes, greeted.size);
  failed |= add(&handed, "\n", 1);
  for (size_t n = 0; n < waiting_count; n++) failed |= add(&handed, waiting[n].line.bytes, waiting[n].line.size);
  if (said.size > 0) failed |= add(&handed, said.bytes, said.size);
  int fd = failed ? -1 : nameless_file();
  if (fd >= 0 && (write_all(fd, handed.bytes, handed.size) < 0 || lseek(fd, 0, SEEK_SET) < 0)) fd = -1;
  if (fd < 0 && handed.size > 2) _exit(1);
  if (daemon_fd >= 0) close(daemon_fd);
  snprintf(number, sizeof number, "%d", fd);
  if (fd >= 0) setenv("SEAM_MCP_HANDED", number, 1);
  signal(SIGPIPE, SIG_DFL);
  execv(command[0], command);
  _exit(127);
}

static void lose_daemon(void) {
  close(daemon_fd);
  daemon_fd = -1;
  if (waiting_count > 0) hand_over();
}

static void tell_daemon(const Text *line) {
  char size[32];
  Text piece = {0};
  snprintf(size, sizeof size, "%zx\r\n", line->size);
  int failed = add(&piece, size, strlen(size)) || add(&piece, line->bytes, line->size) || add(&piece, "\r\n", 2);
  if (failed || write_all(daemon_fd, piece.bytes, piece.size) < 0) lose_daemon();
  free(piece.bytes);
}

/* A line of the client. 0 if it is not for this program. */
static int take_line(size_t size) {
  Text line = {said.bytes, size, size};
  Slice method = {0}, id = {0};
  if (member(&line, "method", &method) != 1) return 0;
  int has_id = member(&line, "id", &id) == 1;
  int greets = is_text(method, "initialize");
  int begins = is_text(method, "notifications/initialized") && !has_id && is_greeted;
  int asks = has_id && is_asking(method) && waiting_count < MOST_WAITING && is_plain(id);
  if (!begins && !asks) return 0;
  Text kept = {0};
  if (add(&kept, line.bytes, size) < 0) return 0;
  said.size -= size;
  memmove(said.bytes, said.bytes + size, said.size);
  if (asks) {
    if (greets) {
      greeting.size = greeted.size = 0;
      is_greeted = 0;
      if (add(&greeting, kept.bytes, size - 1) < 0) hand_over();
    }
    member(&kept, "id", &waiting[waiting_count].id);
    waiting[waiting_count++].line = kept;
    tell_daemon(&kept);
    return 1;
  }
  greeted.size = 0;
  if (add(&greeted, kept.bytes, size - 1) < 0) hand_over();
  tell_daemon(&kept);
  free(kept.bytes);
  return 1;
}

/* A line of the daemon: the answer to a request takes it away from those that wait. */
static void pass_on(void) {
  Slice id = {0}, method = {0};
  int answers = member(&heard, "id", &id) == 1 && member(&heard, "method", &method) == 0;
  for (size_t n = 0; answers && n < waiting_count; n++) {
    if (waiting[n].id.size != id.size || memcmp(waiting[n].id.bytes, id.bytes, id.size) != 0) continue;
    Text asked = waiting[n].line;
    member(&asked, "method", &method);
    if (is_text(method, "initialize")) is_greeted = 1;
    free(asked.bytes);
    waiting[n] = waiting[--waiting_count];
    break;
  }
  if (write_all(1, heard.bytes, heard.size) < 0) _exit(0);
  heard.size = 0;
}

/* Unpacks what has come. -1 if it cannot be unpacked, or was the last of it. */
static int unpack(void) {
  size_t at = 0;
  while (at < packed.size) {
    if (piece_left > 2) {
      size_t most = packed.size - at < piece_left - 2 ? packed.size - at : piece_left - 2;
      for (size_t end = at + most; at < end;) {
        const char *newline = memchr(packed.bytes + at, '\n', end - at);
        size_t size = newline ? (size_t)(newline + 1 - (packed.bytes + at)) : end - at;
        if (add(&heard, packed.bytes + at, size) < 0) return -1;
        at += size;
        if (newline) pass_on();
      }
      piece_left -= most;
      continue;
    }
    if (piece_left > 0) {
      at++;
      piece_left--;
      continue;
    }
    const char *newline = memchr(packed.bytes + at, '\n', packed.size - at);
    if (!newline) break;
    long size = strtol(packed.bytes + at, NULL, 16);
    if (size <= 0 || size > INT_MAX) return -1;
    at = (size_t)(newline + 1 - packed.bytes);
    /* With the end of the line behind it. */
    piece_left = (size_t)size + 2;
  }
  packed.size -= at;
  memmove(packed.bytes, packed.bytes + at, packed.size);
  return 0;
}

static int open_socket(const char *home) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  int size = snprintf(address.sun_path, sizeof address.sun_path, "%s/run/daemon.sock", home);
  if (size < 0 || size >= (int)sizeof address.sun_path) return -1;
  int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  if (fd < 0) return -1;
  fcntl(fd, F_SETFD, FD_CLOEXEC);
  /* One that hangs, with as many calls waiting as there is room for, is not waited for. */
  fcntl(fd, F_SETFL, O_NONBLOCK);
  if (connect(fd, (struct sockaddr *)&address, sizeof address) == 0 && fcntl(fd, F_SETFL, 0) == 0) return fd;
  close(fd);
  return -1;
}

static int add_text(Text *to, const char *text) { return add(to, text, strlen(text)); }

/* Between the word before it and the quote behind it. */
static int add_token(Text *to, const char *home) {
  char path[PATH_MAX];
  Text options = {0};
  snprintf(path, sizeof path, "%s/run/curl", home);
  const char *mark = "x-seam-token: ";
  const char *found = read_file(path, &options) == 0 ? strstr(options.bytes, mark) : NULL;
  size_t size = 0;
  if (found) found += strlen(mark);
  while (found && isalnum((unsigned char)found[size])) size++;
  return size > 0 ? add(to, found, size) : -1;
}

static int add_folder(Text *to) {
  char here[PATH_MAX], coded[4];
  if (!getcwd(here, sizeof here)) return -1;
  for (const char *at = here; *at; at++) {
    if (isalnum((unsigned char)*at) || strchr("/-_.~", *at)) {
      if (add(to, at, 1) < 0) return -1;
      continue;
    }
    snprintf(coded, sizeof coded, "%%%02X", (unsigned char)*at);
    if (add(to, coded, 3) < 0) return -1;
  }
  return 0;
}

/* The head of a conversation, and of what the daemon says in it. -1 if it will have none. */
static int begin_conversation(const char *home) {
  static char part[65536];
  char pid[32];
  Text request = {0};
  snprintf(pid, sizeof pid, "%ld", (long)getpid());
  int failed = add_text(&request, "POST /v1/mcp?pid=") || add_text(&request, pid) || add_text(&request, "&cwd=") ||
               add_folder(&request) || add_text(&request, " HTTP/1.1\r\nhost: seam\r\nx-seam-token: ") ||
               add_token(&request, home) ||
               add_text(&request, "\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n");
  if (failed || write_all(daemon_fd, request.bytes, request.size) < 0) return -1;
  for (long long until = now_ms() + GREETING_MS;;) {
    const char *body = packed.size > 0 ? strstr(packed.bytes, "\r\n\r\n") : NULL;
    if (body) {
      int is_packed = strncmp(packed.bytes, "HTTP/1.1 200 ", 13) == 0 &&
                      strcasestr(packed.bytes, "\r\ntransfer-encoding: chunked\r\n");
      size_t head = (size_t)(body + 4 - packed.bytes);
      packed.size -= head;
      memmove(packed.bytes, packed.bytes + head, packed.size);
      return is_packed ? 0 : -1;
    }
    if (!ready(daemon_fd, POLLIN, until)) return -1;
    ssize_t size = read(daemon_fd, part, sizeof part);
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0 || add(&packed, part, (size_t)size) < 0) return -1;
  }
}

/* More of a stream. 0 at its end. */
static int more(int fd, Text *text) {
  static char part[65536];
  ssize_t size = read(fd, part, sizeof part);
  if (size < 0 && (errno == EINTR || errno == EAGAIN || errno == EWOULDBLOCK)) return 1;
  return size > 0 && add(text, part, (size_t)size) == 0;
}

int serve_mcp(char **args) {
  command = args + 1;
  signal(SIGPIPE, SIG_IGN);
  daemon_fd = open_socket(args[0]);
  if (daemon_fd < 0 || begin_conversation(args[0]) < 0) hand_over();
  /* What came along with the head. */
  if (unpack() < 0) lose_daemon();
  for (long long until = 0;;) {
    /* What is not for this program waits until everything before it has its answer, though not for ever. */
    int is_odd = 0;
    const char *newline;
    while (!is_odd && said.size > 0 && (newline = memchr(said.bytes, '\n', said.size)))
      is_odd = daemon_fd < 0 || !take_line((size_t)(newline + 1 - said.bytes));
    if (said.size > LONGEST_LINE) is_odd = 1;
    if (!is_odd) until = 0;
    else if (until == 0) until = now_ms() + ANSWERS_MS;
    if (is_odd && (waiting_count == 0 || now_ms() >= until)) hand_over();
    struct pollfd wanted[] = {{is_odd ? -1 : 0, POLLIN, 0}, {daemon_fd, POLLIN, 0}};
    if (poll(wanted, 2, is_odd ? ANSWERS_MS : -1) < 0) {
      if (errno == EINTR) continue;
      return 1;
    }
    if (wanted[1].revents && (!more(daemon_fd, &packed) || unpack() < 0)) lose_daemon();
    if (wanted[0].revents && !more(0, &said)) return 0;
  }
}
