package io.gpureclaimer.deviceplugin.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.deviceplugin.mps.MpsShare;
import io.gpureclaimer.deviceplugin.mps.MpsShare.SharedGpu;
import io.gpureclaimer.nvml.ComputeMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** With a program that stands for NVIDIA's, and has no daemon: it is up while a file is there. */
@Timeout(120)
class MpsSupervisionIT {
  private static final String RESOURCE = "nvidia.com/gpu";
  private static final GpuUuid GPU = new GpuUuid("GPU-a");
  private static final List<MpsShare> SHARES =
      List.of(new MpsShare(RESOURCE, List.of(new SharedGpu(GPU, 4, null))));
  private static final String PROGRAM =
      """
      #!/bin/sh
      up="$CUDA_MPS_PIPE_DIRECTORY/up"
      [ "$1" = -d ] && { : > "$up"; exit 0; }
      [ -e "$(dirname "$0")/hangs" ] && exec sleep 1000
      read command
      [ -e "$up" ] || exit 1
      case $command in
        get_default_active_thread_percentage) echo 25.0 ;;
        quit) rm "$up" ;;
      esac
      """;

  @TempDir Path folder;
  private final InMemoryComputeModes modes = new InMemoryComputeModes();
  private final AtomicInteger changes = new AtomicInteger();
  private Path root;
  private MpsSupervision care;

  @BeforeEach
  void make() throws IOException {
    Path program = Files.writeString(folder.resolve("control"), PROGRAM);
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    root = Files.createDirectory(folder.resolve("mps"));
    Files.createSymbolicLink(root.resolve("shm"), Path.of("/dev/shm"));
    InstantSource noon = InstantSource.fixed(Instant.parse("2026-11-22T12:00:00Z"));
    care =
        new MpsSupervision(
            program.toString(),
            modes,
            noon,
            Executors.newSingleThreadExecutor(),
            changes::incrementAndGet);
  }

  @AfterEach
  void end() throws IOException {
    Files.deleteIfExists(folder.resolve("hangs"));
    care.close();
  }

  @Test
  void saysWhenADaemonIsUp_onceItIs() {
    care.want(root, SHARES);

    awaitUp();
    assertThat(modes.modes).isEqualTo(Map.of(GPU, ComputeMode.EXCLUSIVE_PROCESS));
    await().until(() -> changes.get() == 1);
    assertThat(care.down("nvidia.com/other"))
        .contains("the MPS daemon of nvidia.com/other was not started yet");
  }

  @Test
  void endsTheDaemonAndRestoresTheGpu_whenNothingIsSharedAnyLonger() {
    care.want(root, SHARES);
    awaitUp();

    care.want(root, List.of());

    await().until(() -> modes.modes.equals(Map.of(GPU, ComputeMode.DEFAULT)));
    await().until(() -> care.down(RESOURCE).isPresent());
    assertThat(root.resolve(RESOURCE).resolve("pipe").resolve("up")).doesNotExist();
  }

  @Test
  void endsTheDaemonAndRestoresTheGpu_whenMpsNoLongerHasARoot() {
    care.want(root, SHARES);
    awaitUp();

    care.want(null, List.of());

    await().until(() -> modes.modes.equals(Map.of(GPU, ComputeMode.DEFAULT)));
    assertThat(care.down(RESOURCE)).isPresent();
  }

  @Test
  void keepsNoCallerWaiting_whenTheProgramHangs() throws IOException {
    Files.createFile(folder.resolve("hangs"));
    care.want(root, SHARES);

    long before = System.nanoTime();
    for (int i = 0; i < 100; i++) {
      care.want(root, SHARES);
    }
    assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(5));
    assertThat(care.down(RESOURCE))
        .contains("the MPS daemon of nvidia.com/gpu was not started yet");
  }

  @Test
  void endsTheDaemonAndGivesTheGpuBack_atTheEnd() {
    care.want(root, SHARES);
    awaitUp();

    care.close();

    assertThat(modes.modes).isEqualTo(Map.of(GPU, ComputeMode.DEFAULT));
  }

  private void awaitUp() {
    await().atMost(Duration.ofSeconds(30)).until(() -> care.down(RESOURCE).isEmpty());
  }
}
