package io.gpureclaimer.deviceplugin.mps;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.deviceplugin.mps.MpsControl.ControlResult.Answered;
import io.gpureclaimer.deviceplugin.mps.MpsControl.ControlResult.Refused;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs {@code nvidia-cuda-mps-control} with a timeout. */
final class MpsControlBinary implements MpsControl {
  private static final Logger log = LoggerFactory.getLogger(MpsControlBinary.class);
  private static final String NAME = "nvidia-cuda-mps-control";

  private final String program;
  private final Duration deadline;

  /**
   * @param program its path, or its name if it is on the path
   * @param deadline of one run
   */
  MpsControlBinary(String program, Duration deadline) {
    this.program = program;
    this.deadline = deadline;
  }

  @Override
  public ControlResult start(MpsPaths home, List<GpuUuid> gpus) {
    return run(home, List.of(program, "-d"), home.environment(gpus), "", "start.out");
  }

  @Override
  public ControlResult ask(MpsPaths home, String command) {
    return run(home, List.of(program), home.environment(), command + "\n", "control.out");
  }

  /** The number in the file may have gone to another process meanwhile. */
  @Override
  public void kill(MpsPaths home) {
    processId(home.processId())
        .flatMap(ProcessHandle::of)
        .filter(process -> process.info().commandLine().orElse("").contains(NAME))
        .ifPresent(MpsControlBinary::kill);
  }

  /**
   * What it says goes to a file: a daemon keeps the output of its starter open, so that the end of
   * a pipe would never come.
   */
  private ControlResult run(
      MpsPaths home,
      List<String> command,
      Map<String, String> environment,
      String input,
      String outputName) {
    Path output = home.log().resolve(outputName);
    try {
      var builder =
          new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
      builder.environment().keySet().removeIf(name -> name.startsWith("CUDA_"));
      builder.environment().putAll(environment);
      Process process = builder.start();
      try {
        return reply(process, input, output);
      } finally {
        kill(process.toHandle());
      }
    } catch (IOException e) {
      return new Refused(program + " cannot be run: " + e.getMessage());
    }
  }

  private ControlResult reply(Process process, String input, Path output) throws IOException {
    try (OutputStream in = process.getOutputStream()) {
      in.write(input.getBytes(StandardCharsets.UTF_8));
    } catch (IOException _) {
      // It ended without reading; how it ended says more.
    }
    try {
      if (!process.waitFor(deadline)) {
        return new Refused(
            program + " did not end within " + deadline.toMillis() / 1000.0 + " s, and was killed");
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return new Refused("interrupted while " + program + " ran");
    }
    String text = Files.readString(output).strip();
    return process.exitValue() == 0
        ? new Answered(text)
        : new Refused(program + " ended with " + process.exitValue() + ": " + text);
  }

  private static void kill(ProcessHandle process) {
    if (process.isAlive()) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }

  private static Optional<Long> processId(Path file) {
    try {
      return Optional.of(Long.valueOf(Files.readString(file).strip()));
    } catch (NoSuchFileException | NumberFormatException _) {
      return Optional.empty();
    } catch (IOException e) {
      log.warn("{} cannot be read, so the daemon in it is not killed", file, e);
      return Optional.empty();
    }
  }
}
