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
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

typedef struct {
  char *bytes; /* Ends with a zero that does not count, once there is anything. */
  size_t size, room;
} Text;

/* What became of a call: HANGS is a daemon that does nothing any more. */
typedef enum { ANSWERED, NOBODY, NO_ANSWER, HANGS } Reached;

extern const char *agent, *hook;
/* The user's Seam folder, by the name the client was called with: the daemon knows it by that. */
extern char home[PATH_MAX];
/* Where the agent runs, perhaps through links, and the same without links. Empty if unknown. */
extern char folder[PATH_MAX], real[PATH_MAX];
/* The payload's file in the run folder; empty if there is none. */
extern char spooled[320];

/* io.c */
long long now_ms(void);
void pause_ms(long ms);
int add(Text *text, const char *bytes, size_t size);
int ready(int fd, short events, long long until);
int read_all(int fd, Text *text);
int write_all(int fd, const char *bytes, size_t size);
int read_file(const char *path, Text *text);

/* ring.c */
void connect_early(const char *program);
Reached ring(const char *path, const Text *body);

/* start.c */
int read_program(char **node, char **seam);
Reached start(char *node, char *seam, const char *path, const Text *body);

/* gone.c */
void gone(const char *why);
void removed(void);

#endif
