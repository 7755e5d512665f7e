/* What the parts of the hook client share. */
#ifndef SEAM_CLIENT_H
#define SEAM_CLIENT_H
#define _GNU_SOURCE
#define _DARWIN_C_SOURCE
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

typedef struct {
  char *bytes; /* Ends with a zero that does not count, once there is anything. */
  size_t size, room;
} Text;

/* What became of a call: HANGS is a daemon that does nothing any more. */
typedef enum { ANSWERED, NOBODY, NO_ANSWER, HANGS } Reached;

extern const char *agent, *hook;
/* Nobody can be told anything: the output is closed. */
extern int is_mute;
/* The user's Seam folder, by the name the client was called with: the daemon knows it by that. */
extern char home[PATH_MAX];
/* Where the agent runs, perhaps through links, and the same without links. Empty if unknown. */
extern char folder[PATH_MAX], real[PATH_MAX];
/* The payload's file in the run folder; empty if there is none. */
extern char spooled[320];

/*
 * Ends a hook whose answer could not be printed. Agents take no answer for a yes, and this code for a no.
 */
#define UNSAID 2

/* A payload of at most this size goes along with the ring, in one piece. */
#define MOST_ALONG (24 * 1024)

/* What was done for a hook before main, which goes on from there. All zero where nothing was. */
typedef struct {
  /* The connection to the daemon plus one; 0 if there is none. */
  int fd;
  /* The ring has left, with the whole payload: the daemon knows it by this name and this time. */
  int is_sent;
  char name[300];
  struct timespec at;
  /* What was read of the payload. */
  int is_whole;
  size_t size;
  char payload[MOST_ALONG];
  /* What was read of the answer. */
  size_t replied;
  char reply[16 * 1024];
} Early;
/* early.c */
extern Early early;

/* io.c */
long long now_ms(void);
void pause_ms(long ms);
int add(Text *text, const char *bytes, size_t size);
int ready(int fd, short events, long long until);
int read_all(int fd, Text *text);
int write_all(int fd, const char *bytes, size_t size);
int print_answer(const char *bytes, size_t size);
int read_file(const char *path, Text *text);
int is_young(const char *path, time_t seconds);

/* ring.c */
void connect_early(const char *program);
Reached ring(const char *path, const Text *body);

/* start.c */
int read_program(char **node, char **seam);
Reached start(char *node, char *seam, const char *path, const Text *body);

/* mcp.c */
int serve_mcp(char **args);

/* gone.c */
void gone(const char *why);
void removed(void);

#endif
