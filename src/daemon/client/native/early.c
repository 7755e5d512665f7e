/*
 * The usual hook, before the C library is set up. Setting it up asks the processor what it is, which
 * takes a good part of a whole hook on a virtual machine. So the program begins here, with system
 * calls alone: it sends a payload of usual size to a daemon that is there, and prints the answer that
 * comes at once. Everything else is left to main, which goes on where this stopped: see Early.
 */
#include "client.h"

Early early;

#ifdef SEAM_EARLY
#include <sys/syscall.h>

/* So long an answer is waited for before the payload goes to the spool as well. */
#define AT_ONCE_MS 20

/* Nothing of the library may be used: not even what a compiler would put in place of a loop. */
#define AS_IT_STANDS __asm__ volatile("" ::: "memory")

static long sys(long number, long a, long b, long c, long d) {
  register long r10 __asm__("r10") = d;
  register long r8 __asm__("r8") = 0;
  register long r9 __asm__("r9") = 0;
  long end;
  __asm__ volatile("syscall"
                   : "=a"(end)
                   : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory");
  return end;
}

static size_t length_of(const char *text) {
  size_t size = 0;
  for (; text[size]; size++) AS_IT_STANDS;
  return size;
}

/* A piece of text that is being written: it never has more than its room, and is 0 once it would. */
typedef struct {
  char *at, *end;
} Writer;

static void put_bytes(Writer *to, const char *bytes, size_t size) {
  if (!to->at || (size_t)(to->end - to->at) <= size) {
    to->at = 0;
    return;
  }
  for (size_t n = 0; n < size; n++) {
    *to->at++ = bytes[n];
    AS_IT_STANDS;
  }
  *to->at = 0;
}

static void put(Writer *to, const char *text) { put_bytes(to, text, length_of(text)); }

static void put_number(Writer *to, unsigned long long number) {
  char digits[24];
  int n = sizeof digits;
  do digits[--n] = (char)('0' + number % 10);
  while (number /= 10);
  put_bytes(to, digits + n, sizeof digits - (size_t)n);
}

static int begins(const char *text, const char *with) {
  for (; *with; with++, text++)
    if (*text != *with) return 0;
  return 1;
}

/* Behind the first place where it stands; 0 if it is nowhere. */
static const char *behind(const char *text, const char *what) {
  for (; *text; text++)
    if (begins(text, what)) return text + length_of(what);
  return 0;
}

/* Of a header in a head; -1 if it is not there, or no number of a usual size. */
static long number_behind(const char *head, const char *what) {
  const char *at = behind(head, what);
  long value = 0;
  if (!at || *at < '0' || *at > '9') return -1;
  for (; *at >= '0' && *at <= '9'; at++)
    if ((value = value * 10 + (*at - '0')) > 1000000) return -1;
  return value;
}

static int is_letter(char one) {
  return (one >= 'a' && one <= 'z') || (one >= 'A' && one <= 'Z') || (one >= '0' && one <= '9');
}

static int is_name(const char *text) {
  size_t size = 0;
  for (; text[size]; size++)
    if (!is_letter(text[size]) && text[size] != '.' && text[size] != '_' && text[size] != '-') return 0;
  return size > 0 && size <= 100;
}

static int is_git(const char *text) { return begins(text, "git") && !text[3]; }

static int wait_for(int fd, short events, int ms) {
  struct pollfd wanted = {fd, events, 0};
  return sys(SYS_poll, (long)&wanted, 1, ms, 0) > 0;
}

static const char *slash_in(const char *program) {
  const char *slash = 0;
  for (; *program; program++)
    if (*program == '/') slash = program;
  return slash;
}

static int connect_to(const char *program, size_t bin) {
  static struct sockaddr_un address;
  Writer path = {address.sun_path, address.sun_path + sizeof address.sun_path};
  put_bytes(&path, program, bin);
  put(&path, "/../run/daemon.sock");
  if (!path.at) return -1;
  address.sun_family = AF_UNIX;
  int fd = (int)sys(SYS_socket, AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, 0);
  if (fd < 0) return -1;
  if (sys(SYS_connect, fd, (long)&address, sizeof address, 0) == 0) return fd;
  sys(SYS_close, fd, 0, 0, 0);
  return -1;
}

/* The whole payload, or as much as there is room for. */
static void read_payload(void) {
  while (early.size < MOST_ALONG) {
    long size = sys(SYS_read, 0, (long)(early.payload + early.size), (long)(MOST_ALONG - early.size), 0);
    if (size == -EAGAIN) wait_for(0, POLLIN, -1);
    else if (size == 0) early.is_whole = 1;
    if (size == 0 || (size < 0 && size != -EAGAIN && size != -EINTR)) return;
    if (size > 0) early.size += (size_t)size;
  }
}

static void put_token(Writer *to, const char *program, size_t bin) {
  static char options[4096];
  static char path[PATH_MAX];
  Writer writer = {path, path + sizeof path};
  put_bytes(&writer, program, bin);
  put(&writer, "/../run/curl");
  int fd = writer.at ? (int)sys(SYS_open, (long)path, O_RDONLY | O_NONBLOCK | O_CLOEXEC, 0, 0) : -1;
  long size = fd < 0 ? -1 : sys(SYS_read, fd, (long)options, sizeof options - 1, 0);
  if (fd >= 0) sys(SYS_close, fd, 0, 0, 0);
  const char *token = size > 0 ? behind(options, "x-seam-token: ") : 0;
  size_t length = 0;
  while (token && is_letter(token[length])) length++;
  if (length > 0) put_bytes(to, token, length);
  else to->at = 0;
}

/* Where the agent runs: its own word for it counts if it is the same folder. */
static void put_folder(Writer *to, char **environment) {
  static char real[PATH_MAX];
  static struct stat here, there;
  const char *folder = real;
  if (sys(SYS_getcwd, (long)real, sizeof real, 0, 0) <= 0 || real[0] != '/') to->at = 0;
  for (; *environment; environment++) {
    if (!begins(*environment, "PWD=/")) continue;
    const char *given = *environment + 4;
    int same = sys(SYS_stat, (long)given, (long)&there, 0, 0) == 0 &&
               sys(SYS_stat, (long)".", (long)&here, 0, 0) == 0 && here.st_ino == there.st_ino &&
               here.st_dev == there.st_dev;
    if (same) folder = given;
    break;
  }
  for (const char *at = folder; *at; at++)
    if ((*at > 0 && *at < ' ') || *at == 127) to->at = 0;
  put(to, folder);
}

static void print_and_exit(const char *text, size_t size, long code) {
  static struct {
    void *handler;
    unsigned long flags;
    void *restorer, *mask;
  } ignored = {(void *)SIG_IGN, 0, 0, 0};
  if (size > 0) sys(SYS_rt_sigaction, SIGPIPE, (long)&ignored, 0, 8);
  while (size > 0) {
    long done = sys(SYS_write, 1, (long)text, (long)size, 0);
    if (done > 0) {
      text += done, size -= (size_t)done;
    } else if (done == -EAGAIN) {
      wait_for(1, POLLOUT, -1);
    } else if (done != -EINTR) {
      code = UNSAID;
      break;
    }
  }
  for (;;) sys(SYS_exit_group, code, 0, 0, 0);
}

/* Ends the program if the answer is there, and asks for nothing but to be printed. */
static void read_reply(void) {
  while (wait_for(early.fd - 1, POLLIN, AT_ONCE_MS)) {
    long room = (long)(sizeof early.reply - 1 - early.replied);
    long size = room > 0 ? sys(SYS_read, early.fd - 1, (long)(early.reply + early.replied), room, 0) : 0;
    if (size <= 0) return;
    early.replied += (size_t)size;
    const char *body = behind(early.reply, "\r\n\r\n");
    if (!body) continue;
    long length = number_behind(early.reply, "\r\ncontent-length: ");
    long code = number_behind(early.reply, "\r\nx-seam-exit: ");
    int is_plain = begins(early.reply, "HTTP/1.1 200 ") && !behind(early.reply, "\r\nx-seam-stderr: ");
    if (!is_plain || length < 0 || code < 0 || code > 99) return;
    size_t there = early.replied - (size_t)(body - early.reply);
    if (there >= (size_t)length) print_and_exit(body, (size_t)length, code);
  }
}

__attribute__((used)) void seam_early_hook(long *stack) {
  static char request[MOST_ALONG + 2 * PATH_MAX];
  long count = stack[0];
  char **args = (char **)(stack + 1);
  char **environment = args + count + 1;
  char terminal[64];
  /* The hooks of git end in main: what they cannot say stops no commit. */
  if (count != 3 || args[1][0] == '-' || is_git(args[1]) || !is_name(args[1]) || !is_name(args[2])) return;
  const char *program = args[0], *slash = slash_in(program);
  if (!slash || sys(SYS_ioctl, 0, 0x5401 /* TCGETS */, (long)terminal, 0) == 0) return;
  size_t bin = (size_t)(slash - program);
  early.fd = connect_to(program, bin) + 1;
  if (!early.fd) return;
  /* A standard stream is closed: the connection has its number, and would be read or written as it. */
  if (early.fd <= 3) {
    sys(SYS_close, early.fd - 1, 0, 0, 0);
    early.fd = 0;
    return;
  }
  read_payload();
  if (!early.is_whole) return;
  struct timespec now;
  if (sys(SYS_clock_gettime, CLOCK_REALTIME, (long)&now, 0, 0) < 0) return;
  Writer name = {early.name, early.name + sizeof early.name};
  put(&name, args[1]);
  put(&name, "~");
  put(&name, args[2]);
  put(&name, "~");
  put_number(&name, (unsigned long long)sys(SYS_getppid, 0, 0, 0, 0));
  put(&name, "~");
  put_number(&name, (unsigned long long)sys(SYS_getpid, 0, 0, 0, 0));
  put(&name, "~0");
  Writer to = {request, request + sizeof request};
  put(&to, "POST /v1/ring/");
  put(&to, early.name);
  put(&to, "@");
  put_number(&to, (unsigned long long)now.tv_sec * 1000000000ULL + (unsigned long long)now.tv_nsec);
  put(&to, " HTTP/1.0\r\nHost: seam\r\nx-seam-token: ");
  put_token(&to, program, bin);
  put(&to, "\r\nx-seam-cwd: ");
  put_folder(&to, environment);
  put(&to, "\r\nContent-Length: ");
  put_number(&to, early.size);
  put(&to, "\r\n\r\n");
  put_bytes(&to, early.payload, early.size);
  if (!to.at) return;
  early.at = now;
  /* In one go or not at all: from here on the daemon may have it. */
  struct iovec piece = {request, (size_t)(to.at - request)};
  static struct msghdr message;
  message.msg_iov = &piece;
  message.msg_iovlen = 1;
  early.is_sent = 1;
  if (sys(SYS_sendmsg, early.fd - 1, (long)&message, MSG_NOSIGNAL, 0) == (long)piece.iov_len) {
    read_reply();
  } else {
    sys(SYS_close, early.fd - 1, 0, 0, 0);
    early.fd = 0;
  }
}

/* Where the system begins. Without an answer the library's own beginning follows, as if it came first. */
__asm__(".globl seam_early\n"
        "seam_early:\n"
        "  mov %rsp, %rdi\n"
        "  mov %rdx, %r12\n"
        "  call seam_early_hook\n"
        "  mov %r12, %rdx\n"
        "  jmp _start\n");
#endif
