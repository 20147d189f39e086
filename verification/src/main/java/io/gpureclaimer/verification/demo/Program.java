package io.gpureclaimer.verification.demo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A child process with a log file of its own; closing it ends the process. */
public final class Program implements AutoCloseable {
  private static final Duration START_LIMIT = Duration.ofSeconds(30);
  private static final Duration STOP_LIMIT = Duration.ofSeconds(5);
  private static final Duration POLL = Duration.ofMillis(100);

  private final String name;
  private final Path log;
  private final Process process;

  private Program(String name, Path log, Process process) {
    this.name = name;
    this.log = log;
    this.process = process;
  }

  /** Starts the command with its output going to {@code NAME.log} in the folder. */
  public static Program start(
      String name, List<String> command, Map<String, String> environment, Path folder) {
    Path log = folder.resolve(name + ".log");
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
    builder.environment().putAll(environment);
    try {
      return new Program(name, log, builder.start());
    } catch (IOException e) {
      throw new UncheckedIOException("could not start " + name + ": " + e.getMessage(), e);
    }
  }

  /** Process id. */
  public long pid() {
    return process.pid();
  }

  /** Waits until the address answers 200; gives up with the end of the log when it never does. */
  public void awaitReady(URI address, HttpClient http) throws InterruptedException {
    var request = HttpRequest.newBuilder(address).timeout(Duration.ofSeconds(2)).build();
    long deadline = System.nanoTime() + START_LIMIT.toNanos();
    while (System.nanoTime() < deadline && process.isAlive()) {
      if (answers(request, http)) {
        return;
      }
      Thread.sleep(POLL);
    }
    throw new IllegalStateException(
        name + " did not become ready at " + address + "; its log ends with:\n" + endOfLog());
  }

  private static boolean answers(HttpRequest request, HttpClient http) throws InterruptedException {
    try {
      return http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() == 200;
    } catch (IOException _) {
      return false; // not listening yet; the caller's deadline decides
    }
  }

  private String endOfLog() {
    try {
      List<String> lines = Files.readAllLines(log);
      return String.join("\n", lines.subList(Math.max(0, lines.size() - 10), lines.size()));
    } catch (IOException e) {
      return "(" + log + " cannot be read: " + e.getMessage() + ")";
    }
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(STOP_LIMIT.toSeconds(), TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException _) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }

  /** Finds a free port of the loopback address. */
  public static final class FreePorts {
    private FreePorts() {}

    /** The port that people expect, or any free one when it is taken. */
    public static int freeNear(int expected) {
      try {
        return bind(expected);
      } catch (IOException _) {
        return anyFree();
      }
    }

    /** Any free port. */
    public static int anyFree() {
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
}
