package io.gpureclaimer.exporter.web;

import java.io.IOException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.util.Map;

/**
 * The listening socket that systemd passes to a service which it activates, as its third
 * descriptor. The JVM adopts a socket only as standard input, so that is where it is put first;
 * nobody reads the agent's standard input.
 *
 * @param address where it listens
 */
public record SystemdSocket(InetSocketAddress address) {
  private static final int PASSED = 3;
  private static final int STANDARD_INPUT = 0;

  /**
   * Adopts it: from now on {@link System#inheritedChannel} is it.
   *
   * @param environment the process's variables, among them what systemd says of the socket
   * @param process the process's own number
   * @throws IllegalArgumentException in one line, if there is none
   */
  public static SystemdSocket adopt(Map<String, String> environment, long process) {
    requireOne(environment, process);
    if (descriptor("dup2", PASSED, STANDARD_INPUT) != STANDARD_INPUT) {
      throw refusal("descriptor 3 is not open");
    }
    try {
      if (System.inheritedChannel() instanceof ServerSocketChannel socket
          && socket.getLocalAddress() instanceof InetSocketAddress address) {
        return new SystemdSocket(address);
      }
      throw refusal("descriptor 3 is not one");
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "web.systemd-socket needs a listening TCP socket, but " + e.getMessage(), e);
    }
  }

  static void requireOne(Map<String, String> environment, long process) {
    String count = environment.get("LISTEN_FDS");
    if (count == null) {
      throw refusal("LISTEN_FDS is not set");
    }
    if (!count.equals("1")) {
      throw refusal("LISTEN_FDS is " + count + ", not 1");
    }
    String meant = environment.get("LISTEN_PID");
    if (meant != null && !meant.equals(Long.toString(process))) {
      throw refusal("it was passed to process " + meant + ", and this is " + process);
    }
  }

  private static IllegalArgumentException refusal(String why) {
    return new IllegalArgumentException(
        "web.systemd-socket needs one listening TCP socket from systemd, but " + why);
  }

  /** A function of the C library that takes two descriptors and gives back one. */
  @SuppressWarnings("restricted")
  private static int descriptor(String function, int first, int second) {
    var linker = Linker.nativeLinker();
    var handle =
        linker.downcallHandle(
            linker.defaultLookup().findOrThrow(function),
            FunctionDescriptor.of(
                ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
    try {
      return (int) handle.invokeExact(first, second);
    } catch (Throwable e) {
      throw new IllegalStateException("a call of " + function + " does not throw", e);
    }
  }
}
