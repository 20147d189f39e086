package io.gpureclaimer.verification.scenario.harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * Program that runs on the machine of the cluster until it is closed. Confined to the thread of the
 * test.
 */
public final class NodeProcess implements AutoCloseable {
  private static final Path LOGS = Path.of("target/scenarios");
  private static final long STOPS_WITHIN_SECONDS = 40;

  private final String name;
  private final Process process;

  private NodeProcess(String name, Process process) {
    this.name = name;
    this.process = process;
  }

  /** Starts it with a command that enters the cluster; its log is in {@code target/scenarios}. */
  static NodeProcess start(String name, ProcessBuilder command) {
    try {
      Files.createDirectories(LOGS);
      return new NodeProcess(
          name,
          command
              .redirectErrorStream(true)
              .redirectOutput(LOGS.resolve(name + ".log").toFile())
              .start());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Fails if it has ended by itself. */
  public void requireRunning() {
    if (!process.isAlive()) {
      throw new IllegalStateException(
          name + " has ended with " + process.exitValue() + ", see " + LOGS + "/" + name + ".log");
    }
  }

  @Override
  public void close() {
    // The command that enters the cluster ends with the program, and not the other way round.
    process.descendants().forEach(ProcessHandle::destroy);
    try {
      if (!process.waitFor(STOPS_WITHIN_SECONDS, TimeUnit.SECONDS)) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
