package io.gpureclaimer.verification.demo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;

/** Finds a port of the loopback address that nobody listens on. */
final class Ports {
  private Ports() {}

  /** The port that people expect, or any free one when it is taken. */
  static int freeNear(int expected) {
    try {
      return bind(expected);
    } catch (IOException _) {
      return anyFree();
    }
  }

  private static int anyFree() {
    try {
      return bind(0);
    } catch (IOException e) {
      throw new UncheckedIOException("no free port on the loopback address", e);
    }
  }

  private static int bind(int port) throws IOException {
    try (var socket = new ServerSocket()) {
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return socket.getLocalPort();
    }
  }
}
