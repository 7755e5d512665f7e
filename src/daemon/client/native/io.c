/* Reading and writing that is never cut short, and time. */
#include "client.h"

long long now_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}

void pause_ms(long ms) {
  struct timespec time = {ms / 1000, (ms % 1000) * 1000000};
  nanosleep(&time, NULL);
}

int add(Text *text, const char *bytes, size_t size) {
  if (text->size + size + 1 > text->room) {
    size_t room = (text->size + size + 1) * 2;
    char *grown = realloc(text->bytes, room);
    if (!grown) return -1;
    text->bytes = grown;
    text->room = room;
  }
  memcpy(text->bytes + text->size, bytes, size);
  text->size += size;
  text->bytes[text->size] = 0;
  return 0;
}

/* 1 if there is something to do on the file, 0 if it took too long. */
int ready(int fd, short events, long long until) {
  for (;;) {
    struct pollfd wanted = {fd, events, 0};
    long long left = until - now_ms();
    int found = poll(&wanted, 1, left < 0 ? 0 : left > 600000 ? 600000 : (int)left);
    if (found > 0) return 1;
    if (found == 0 && now_ms() >= until) return 0;
    if (found < 0 && errno != EINTR && errno != EAGAIN) return 1;
  }
}

/* All of a file or a pipe, also of one that does not wait. */
int read_all(int fd, Text *text) {
  static char part[65536];
  for (;;) {
    ssize_t size = read(fd, part, sizeof part);
    if (size == 0) return text->bytes ? 0 : add(text, "", 0);
    if (size > 0) {
      if (add(text, part, (size_t)size) < 0) return -1;
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      ready(fd, POLLIN, now_ms() + 600000);
    } else if (errno != EINTR) {
      return -1;
    }
  }
}

int write_all(int fd, const char *bytes, size_t size) {
  while (size > 0) {
    ssize_t done = write(fd, bytes, size);
    if (done > 0) {
      bytes += done;
      size -= (size_t)done;
    } else if (done < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
      ready(fd, POLLOUT, now_ms() + 600000);
    } else if (done == 0 || errno != EINTR) {
      return -1;
    }
  }
  return 0;
}

/* -1 if the agent does not hear it. What the hooks of git cannot say stops no commit. */
int print_answer(const char *bytes, size_t size) {
  int is_said = !is_mute || size == 0;
  if (write_all(1, bytes, size) < 0) is_said = 0;
  return is_said || strcmp(agent, "git") == 0 ? 0 : -1;
}

/* Only of a file: a pipe that somebody put there would be waited for. */
int read_file(const char *path, Text *text) {
  struct stat stats;
  int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0) return -1;
  int end = fstat(fd, &stats) == 0 && S_ISREG(stats.st_mode) ? read_all(fd, text) : -1;
  close(fd);
  return end;
}

/* Whether a file was written of late. One that is of tomorrow is from before somebody set the clock back. */
int is_young(const char *path, time_t seconds) {
  struct stat stats;
  if (stat(path, &stats) < 0) return 0;
  time_t age = time(NULL) - stats.st_mtime;
  return age >= 0 && age < seconds;
}
