/* Asks the daemon: one request over its socket, one answer. */
#include "client.h"

#define LONGEST_HEAD (64 * 1024)
#define LONGEST_REPLY (512LL * 1024 * 1024)

static char token[129];
/* A daemon that says nothing for so long is asked whether it is still there. */
static long silence_ms = 10000;
/* Shorter than agents wait for a gate: what they do then is let the call pass. */
static long most_ms = 590000;

/* The number behind a word in the options, or what stands there already. */
static long option(const Text *options, const char *word, long before) {
  const char *found = strstr(options->bytes, word);
  long value = found ? strtol(found + strlen(word), NULL, 10) : 0;
  return value > 0 && value < 100000 ? value * 1000 : before;
}

static int read_options(void) {
  Text options = {0};
  if (read_file("curl", &options) < 0) return -1;
  const char *found = strstr(options.bytes, "x-seam-token: ");
  size_t size = 0;
  if (found) {
    found += strlen("x-seam-token: ");
    while (size < sizeof token - 1 && isalnum((unsigned char)found[size])) size++;
    memcpy(token, found, size);
  }
  token[size] = 0;
  silence_ms = option(&options, "# silence = ", silence_ms);
  most_ms = option(&options, "max-time = ", most_ms);
  /* A person waits for a commit; nobody is asked anything meanwhile. */
  if (strcmp(agent, "git") == 0) most_ms = 2000;
  free(options.bytes);
  return size > 0 ? 0 : -1;
}

/* A header's value in a head whose lines end with \r\n; NULL if it is not there. */
static const char *header(const char *head, const char *name, size_t *size) {
  for (const char *line = strstr(head, "\r\n"); line; line = strstr(line, "\r\n")) {
    line += 2;
    if (strncasecmp(line, name, strlen(name)) != 0) continue;
    *size = strcspn(line + strlen(name), "\r");
    return line + strlen(name);
  }
  return NULL;
}

static long long number(const char *head, const char *name, long long most) {
  size_t size;
  const char *value = header(head, name, &size);
  if (!value || size == 0 || size > 12 || strspn(value, "0123456789") < size) return -1;
  long long found = strtoll(value, NULL, 10);
  return found <= most ? found : -1;
}

/* stderr comes as a header: everything but plain characters is \0 and three octal digits. */
static void print_error(const char *head) {
  size_t size, done = 0, length = 0;
  const char *value = header(head, "x-seam-stderr: ", &size);
  char *text = value ? malloc(size + 1) : NULL;
  if (!text) return;
  while (done < size) {
    const char *at = value + done;
    if (at[0] == '\\' && size - done >= 5 && strspn(at + 2, "01234567") >= 3) {
      text[length++] = (char)((at[2] - '0') * 64 + (at[3] - '0') * 8 + (at[4] - '0'));
      done += 5;
    } else {
      text[length++] = at[0];
      done++;
    }
  }
  write_all(2, text, length);
  free(text);
}


/* How large the whole reply will be; -1 if its head is not complete, -2 if it is no answer. */
static long long whole_size(const Text *reply) {
  const char *end = strstr(reply->bytes, "\r\n\r\n");
  if (!end) return reply->size < LONGEST_HEAD ? -1 : -2;
  if (strncmp(reply->bytes, "HTTP/1.", 7) != 0 || strncmp(reply->bytes + 8, " 200 ", 5) != 0) return -2;
  long long length = number(reply->bytes, "content-length: ", LONGEST_REPLY);
  if (length < 0 || number(reply->bytes, "x-seam-exit: ", 99) < 0) return -2;
  return end + 4 - reply->bytes + length;
}

/* A connection to the daemon; -1 if there is none, -2 if it does not take calls any more. */
static int call(const char *path, long long until) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof address.sun_path) return -1;
  strcpy(address.sun_path, path);
  int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  if (fd < 0) return -2;
  fcntl(fd, F_SETFD, FD_CLOEXEC);
  fcntl(fd, F_SETFL, O_NONBLOCK);
  while (connect(fd, (struct sockaddr *)&address, sizeof address) < 0 && errno != EISCONN) {
    int waits = errno == EAGAIN || errno == EINTR || errno == EALREADY || errno == EINPROGRESS;
    if (!waits || now_ms() >= until) {
      close(fd);
      return waits ? -2 : -1;
    }
    pause_ms(5);
  }
  return fd;
}

/*
 * Connects before anything else: the daemon wakes up while the payload is read. Nothing depends on
 * it, so it does not wait, and does not mind a path that is too long for a socket.
 */
void connect_early(const char *program) {
  const char *slash = strrchr(program, '/');
  char path[PATH_MAX];
  int size = slash ? snprintf(path, sizeof path, "%.*s/../run/daemon.sock", (int)(slash - program), program) : -1;
  int fd = size > 0 && size < (int)sizeof path ? call(path, now_ms()) : -1;
  early.fd = fd < 0 ? 0 : fd + 1;
}

static int is_alive(void);

/* Sends a request and reads its answer until it is whole, breaks off, or nothing comes any more. */
static Reached exchange(int fd, const Text *request, Text *reply, long long until, int probing) {
  static char part[65536];
  size_t sent = 0;
  long long quiet = now_ms() + silence_ms;
  for (;;) {
    long long whole = reply->size > 0 ? whole_size(reply) : -1;
    if (whole == -2) return NO_ANSWER;
    if (whole >= 0 && (long long)reply->size >= whole) return ANSWERED;
    int sending = sent < request->size;
    if (!ready(fd, sending ? POLLOUT : POLLIN, quiet < until ? quiet : until)) {
      /* A handler may take its time, as long as the daemon itself is not stuck. */
      if (probing || now_ms() >= until || !is_alive()) return HANGS;
      quiet = now_ms() + silence_ms;
      continue;
    }
    ssize_t size = sending ? write(fd, request->bytes + sent, request->size - sent)
                           : read(fd, part, sizeof part);
    if (size < 0 && (errno == EINTR || errno == EAGAIN || errno == EWOULDBLOCK)) continue;
    if (size <= 0) return NOBODY;
    quiet = now_ms() + silence_ms;
    if (sending) {
      sent += (size_t)size;
      continue;
    }
    if (probing) return ANSWERED;
    if (add(reply, part, (size_t)size) < 0) return NO_ANSWER;
  }
}

static Reached ask(const char *path, const Text *body, Text *reply, long long until, int probing) {
  Text request = {0};
  char length[64];
  const char *cwd = folder;
  for (const char *at = folder; *at; at++)
    if (iscntrl((unsigned char)*at)) cwd = "";
  snprintf(length, sizeof length, "\r\nContent-Length: %zu\r\n\r\n", body->size);
  const char *parts[] = {"POST ", path, " HTTP/1.0\r\nHost: seam\r\nx-seam-token: ", token,
                         "\r\nx-seam-cwd: ", cwd, length};
  int goes_on = early.fd > 0 && !probing;
  int fd = goes_on ? early.fd - 1 : call("daemon.sock", until);
  if (goes_on) early.fd = 0;
  if (fd < 0) return fd == -1 ? NOBODY : HANGS;
  int failed = 0;
  /* What was sent before main was reached is not sent again on the same connection. */
  int is_sent = goes_on && early.is_sent;
  if (is_sent && early.replied > 0) failed = add(reply, early.reply, early.replied);
  for (size_t n = 0; !is_sent && n < sizeof parts / sizeof *parts; n++)
    failed |= add(&request, parts[n], strlen(parts[n]));
  /* In one go: the daemon may have answered and closed before a second one. */
  if (!is_sent && body->size > 0) failed |= add(&request, body->bytes, body->size);
  Reached reached = failed ? NO_ANSWER : exchange(fd, &request, reply, until, probing);
  close(fd);
  free(request.bytes);
  return reached;
}

/* A daemon that ends takes no calls any more, and still gives its last answers. */
static int is_alive(void) {
  Text none = {0};
  return ask("/v1/ring/none", &none, &none, now_ms() + silence_ms, 1) != HANGS;
}

/* Rings, prints the answer and ends with its code. Comes back if there is none. */
Reached ring(const char *path, const Text *body) {
  Text reply = {0};
  int was_early = early.fd > 0;
  if (read_options() < 0) return NOBODY;
  Reached reached = ask(path, body, &reply, now_ms() + most_ms, 0);
  /* The daemon does not keep a silent connection for ever, and may be another one by now. */
  if (was_early && (reached == NOBODY || reached == NO_ANSWER)) {
    reply.size = 0;
    if (read_options() < 0) return NOBODY;
    reached = ask(path, body, &reply, now_ms() + most_ms, 0);
  }
  if (reached == ANSWERED && strcmp(agent, "--start") != 0) {
    char *end = strstr(reply.bytes, "\r\n\r\n");
    long long code = number(reply.bytes, "x-seam-exit: ", 99);
    long long length = number(reply.bytes, "content-length: ", LONGEST_REPLY);
    /* The daemon may have removed it before it was there. */
    if (early.is_sent && *spooled) unlink(spooled);
    if (print_answer(end + 4, (size_t)length) < 0) code = UNSAID;
    end[2] = 0;
    print_error(reply.bytes);
    exit((int)code);
  }
  free(reply.bytes);
  return reached;
}
