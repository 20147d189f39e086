package io.gpureclaimer.deviceplugin.mps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.deviceplugin.mps.MpsControl.ControlResult.Answered;
import io.gpureclaimer.deviceplugin.mps.MpsControl.ControlResult.Refused;
import io.gpureclaimer.deviceplugin.mps.MpsShare.SharedGpu;
import io.gpureclaimer.deviceplugin.mps.MpsState.Down;
import io.gpureclaimer.deviceplugin.mps.MpsState.Ready;
import io.gpureclaimer.nvml.ComputeMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Against real processes: a program that stands for NVIDIA's, with a daemon in the background. */
class MpsControlIT {
  private static final GpuUuid GPU = new GpuUuid("GPU-a");
  private static final String RESOURCE = "nvidia.com/gpu";
  private static final Duration DEADLINE = Duration.ofSeconds(5);

  /**
   * With {@code -d} a daemon in the background, which keeps the output open as a careless one
   * would; else a command for it. A file in its folder makes it hang, another makes it keep on
   * living.
   */
  private static final String PROGRAM =
      """
      #!/bin/sh
      pid="$CUDA_MPS_PIPE_DIRECTORY/nvidia-cuda-mps-control.pid"
      seen="$CUDA_MPS_LOG_DIRECTORY/seen"
      if [ "$1" = --daemon ]; then
        while :; do sleep 1; done
      fi
      if [ "$1" = -d ]; then
        [ -e "$CUDA_MPS_LOG_DIRECTORY/broken" ] && { echo "no GPU"; exit 3; }
        echo "visible $CUDA_VISIBLE_DEVICES" >> "$seen"
        "$0" --daemon &
        echo $! > "$pid"
        exit 0
      fi
      [ -e "$CUDA_MPS_LOG_DIRECTORY/hangs" ] && exec sleep 1000
      read command
      if ! kill -0 "$(cat "$pid")"; then
        echo "Cannot find MPS control daemon process"
        exit 1
      fi
      echo "$command" >> "$seen"
      case $command in
        get_default_active_thread_percentage) echo 25.0 ;;
        quit) [ -e "$CUDA_MPS_LOG_DIRECTORY/stays" ] && exit 1; kill "$(cat "$pid")" ;;
      esac
      """;

  @TempDir Path root;
  private final FakeComputeModes modes = new FakeComputeModes();
  private Instant now = Instant.parse("2026-11-22T00:00:00Z");
  private Path program;
  private MpsPaths home;

  @BeforeEach
  void make() throws IOException {
    program = Files.writeString(root.resolve("nvidia-cuda-mps-control"), PROGRAM);
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    home = new MpsPaths(root.resolve("mps"), RESOURCE);
    Files.createDirectories(home.pipe());
    Files.createDirectories(home.log());
    Files.createDirectories(home.root().resolve("shm"));
  }

  @AfterEach
  void endWhatRuns() throws IOException {
    Files.deleteIfExists(home.log().resolve("hangs"));
    control(program.toString(), DEADLINE).kill(home);
  }

  @Test
  void startsAsksAndEnds() throws IOException {
    try (var supervisor = supervisor()) {
      supervisor.share(List.of(new MpsShare(RESOURCE, List.of(new SharedGpu(GPU, 4, 80L << 30)))));
      supervisor.poll();
      assertThat(supervisor.states()).isEqualTo(Map.of(RESOURCE, new Ready(now)));
    }

    assertThat(Files.readAllLines(home.log().resolve("seen")))
        .containsExactly(
            "visible GPU-a",
            "set_default_device_pinned_mem_limit GPU-a 20480M",
            "set_default_active_thread_percentage 25",
            "get_default_active_thread_percentage",
            "quit");
    assertThat(modes.modes).isEqualTo(Map.of(GPU, ComputeMode.DEFAULT));
    awaitNoDaemon();
  }

  @Test
  void comesBack_whenTheDaemonIsKilled() throws IOException {
    try (var supervisor = supervisor()) {
      supervisor.share(List.of(new MpsShare(RESOURCE, List.of(new SharedGpu(GPU, 4, null)))));
      supervisor.poll();
      ProcessHandle.of(processId()).orElseThrow().destroyForcibly();
      awaitNoDaemon();

      supervisor.poll();
      assertThat(supervisor.states().get(RESOURCE)).isInstanceOf(Down.class);
      now = now.plusSeconds(1);
      supervisor.poll();
      assertThat(supervisor.states()).isEqualTo(Map.of(RESOURCE, new Ready(now)));
    }
  }

  @Test
  void killsTheDaemonAndGivesTheGpuBack_whenItDoesNotQuit() throws IOException {
    Files.createFile(home.log().resolve("stays"));
    try (var supervisor = supervisor()) {
      supervisor.share(List.of(new MpsShare(RESOURCE, List.of(new SharedGpu(GPU, 4, null)))));
      supervisor.poll();
    }

    awaitNoDaemon();
    assertThat(modes.modes).isEqualTo(Map.of(GPU, ComputeMode.DEFAULT));
  }

  @Test
  void killsTheProgram_whenItHangs() throws IOException {
    Files.createFile(home.log().resolve("hangs"));
    var quick = control(program.toString(), Duration.ofMillis(300));

    assertThat(quick.ask(home, "quit"))
        .isEqualTo(new Refused(program + " did not end within 0.3 s, and was killed"));
    // A child of the killed program is orphaned, and may end a moment later.
    await()
        .untilAsserted(
            () ->
                assertThat(ProcessHandle.current().descendants().filter(ProcessHandle::isAlive))
                    .noneMatch(
                        process -> process.info().commandLine().orElse("").contains("sleep 1000")));
  }

  @Test
  void saysHowItEnded_whenItFails() throws IOException {
    Files.createFile(home.log().resolve("broken"));

    assertThat(control(program.toString(), DEADLINE).start(home, List.of(GPU)))
        .isEqualTo(new Refused(program + " ended with 3: no GPU"));
  }

  @Test
  void saysThatItIsNotThere_whenThereIsNoSuchProgram() {
    assertThat(control("/nonexistent/nvidia-cuda-mps-control", DEADLINE).ask(home, "quit"))
        .isInstanceOfSatisfying(
            Refused.class,
            refused ->
                assertThat(refused.reason())
                    .startsWith("/nonexistent/nvidia-cuda-mps-control cannot be run: "));
  }

  @Test
  void killsNoOtherProcess_whenThePidWasReused() throws IOException {
    long own = ProcessHandle.current().pid();
    Files.writeString(home.processId(), own + "\n");
    control(program.toString(), DEADLINE).kill(home);
    Files.writeString(home.processId(), "no number");
    control(program.toString(), DEADLINE).kill(home);

    assertThat(ProcessHandle.of(own)).isPresent();
  }

  @Test
  void returns_whenTheDaemonKeepsTheOutputOpen() {
    assertThat(control(program.toString(), DEADLINE).start(home, List.of(GPU)))
        .isEqualTo(new Answered(""));
  }

  private void awaitNoDaemon() throws IOException {
    long daemon = processId();
    await()
        .atMost(DEADLINE)
        .until(() -> ProcessHandle.of(daemon).filter(ProcessHandle::isAlive).isEmpty());
  }

  private long processId() throws IOException {
    return Long.parseLong(Files.readString(home.processId()).strip());
  }

  private MpsSupervisor supervisor() {
    return new MpsSupervisor(
        new MpsSettings(program.toString(), home.root(), home.root().resolve("shm"), DEADLINE),
        modes,
        () -> now);
  }

  private static MpsControl control(String program, Duration deadline) {
    return new MpsControlBinary(program, deadline);
  }
}
