/* Does what systemd does for a socket unit: listens on the loopback address, passes the socket as
   descriptor 3, and becomes the command that follows the address family. Prints the port first. */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int main(int argc, char **argv) {
  int family = argc > 1 && strcmp(argv[1], "6") == 0 ? AF_INET6 : AF_INET;
  struct sockaddr_storage address;
  socklen_t size = family == AF_INET6 ? sizeof(struct sockaddr_in6) : sizeof(struct sockaddr_in);
  char text[32];
  int listening = socket(family, SOCK_STREAM, 0);

  memset(&address, 0, sizeof address);
  address.ss_family = family;
  if (family == AF_INET6)
    ((struct sockaddr_in6 *)&address)->sin6_addr = in6addr_loopback;
  else
    ((struct sockaddr_in *)&address)->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (listening < 0 || bind(listening, (struct sockaddr *)&address, size) != 0 ||
      listen(listening, 16) != 0 ||
      getsockname(listening, (struct sockaddr *)&address, &size) != 0) {
    perror("listen");
    return 1;
  }
  printf("%d\n", ntohs(family == AF_INET6 ? ((struct sockaddr_in6 *)&address)->sin6_port
                                          : ((struct sockaddr_in *)&address)->sin_port));
  fflush(stdout);
  if (listening != 3) {
    dup2(listening, 3);
    close(listening);
  }
  snprintf(text, sizeof text, "%d", (int)getpid());
  setenv("LISTEN_PID", text, 1);
  setenv("LISTEN_FDS", "1", 1);
  execvp(argv[2], argv + 2);
  perror("exec");
  return 1;
}
