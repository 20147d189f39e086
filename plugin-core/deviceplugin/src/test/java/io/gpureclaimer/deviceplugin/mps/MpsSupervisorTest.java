package io.gpureclaimer.deviceplugin.mps;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.deviceplugin.mps.MpsShare.SharedGpu;
import io.gpureclaimer.deviceplugin.mps.MpsState.Down;
import io.gpureclaimer.deviceplugin.mps.MpsState.Ready;
import io.gpureclaimer.nvml.ComputeMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MpsSupervisorTest {
  private static final String GPU = "nvidia.com/gpu";
  private static final GpuUuid A = new GpuUuid("GPU-a");
  private static final GpuUuid B = new GpuUuid("GPU-b");
  private static final Long BYTES = 80L << 30;

  @TempDir Path root;
  private final FakeControl control = new FakeControl();
  private final FakeComputeModes modes = new FakeComputeModes();
  private Instant now = Instant.parse("2026-11-22T00:00:00Z");
  private MpsSupervisor supervisor;

  @BeforeEach
  void make() throws IOException {
    Files.createDirectory(root.resolve("shm"));
    supervisor = supervisor();
  }

  @Test
  void isDown_beforeTheFirstLook() {
    supervisor.share(List.of(share(A)));

    assertThat(supervisor.states())
        .isEqualTo(Map.of(GPU, new Down("not started yet", Instant.MIN)));
    assertThat(modes.calls).isEmpty();
  }

  @Test
  void startsADaemon_thatSeesItsGpusAndGivesEachClientItsPart() throws IOException {
    supervisor.share(
        List.of(new MpsShare(GPU, List.of(new SharedGpu(A, 4, BYTES), new SharedGpu(B, 3, null)))));
    supervisor.poll();

    assertThat(supervisor.states()).isEqualTo(Map.of(GPU, new Ready(now)));
    assertThat(control.up).isEqualTo(Map.of(GPU, List.of(A, B)));
    assertThat(control.taken())
        .containsExactly(
            "start nvidia.com/gpu",
            "set_default_device_pinned_mem_limit GPU-a 20480M",
            "set_default_active_thread_percentage 25",
            "get_default_active_thread_percentage");
    assertThat(modes.calls).containsExactly("GPU-a EXCLUSIVE_PROCESS", "GPU-b EXCLUSIVE_PROCESS");
    assertThat(Files.readString(remembered())).isEqualTo("GPU-a DEFAULT\nGPU-b DEFAULT\n");
    assertThat(root.resolve(GPU).resolve("pipe")).isDirectory();
    assertThat(root.resolve(GPU).resolve("log")).isDirectory();
  }

  @Test
  void onlyAsks_whileItIsWell() {
    up(share(A));

    supervisor.poll();

    assertThat(control.taken()).containsExactly("get_default_active_thread_percentage");
  }

  @Test
  void isDownAtOnce_andStartedAgainAfterEverLongerPauses_whenItDies() {
    up(share(A));
    control.up.clear();
    control.canStart = false;

    supervisor.poll();
    assertThat(supervisor.states())
        .isEqualTo(
            Map.of(GPU, new Down("Cannot find MPS control daemon process", now.plusSeconds(1))));
    for (int pause : new int[] {1, 2, 4, 8, 16, 32, 60, 60}) {
      control.taken();
      now = now.plusSeconds(pause).minusMillis(1);
      supervisor.poll();
      assertThat(control.taken()).isEmpty();
      now = now.plusMillis(1);
      supervisor.poll();
      assertThat(control.taken()).containsExactly("start nvidia.com/gpu");
    }

    control.canStart = true;
    now = now.plusSeconds(60);
    supervisor.poll();
    assertThat(supervisor.states()).isEqualTo(Map.of(GPU, new Ready(now)));
  }

  @Test
  void isDown_whenTheAnswerFitsNoQuestion() {
    up(share(A));
    control.percentage = "Invalid command";

    supervisor.poll();

    assertThat(supervisor.states())
        .isEqualTo(
            Map.of(
                GPU,
                new Down(
                    "the daemon was asked for a percentage, and said \"Invalid command\"",
                    now.plusSeconds(1))));
  }

  @Test
  void makesGpusWhatTheyWere_whenItEnds() {
    modes.modes.put(A, ComputeMode.EXCLUSIVE_PROCESS);
    up(share(A, B));

    supervisor.close();

    assertThat(control.taken()).containsExactly("quit");
    assertThat(modes.modes)
        .isEqualTo(Map.of(A, ComputeMode.EXCLUSIVE_PROCESS, B, ComputeMode.DEFAULT));
    assertThat(remembered()).doesNotExist();
    assertThat(supervisor.states()).isEmpty();
  }

  @Test
  void makesGpusWhatTheyWere_whenTheDaemonDoesNotQuit() {
    up(share(A));
    control.canQuit = false;

    supervisor.close();

    assertThat(control.taken()).containsExactly("quit", "kill nvidia.com/gpu");
    assertThat(modes.modes).isEqualTo(Map.of(A, ComputeMode.DEFAULT));
  }

  @Test
  void makesGpusWhatTheyWere_whenTheDaemonIsLongDead() {
    up(share(A));
    control.up.clear();

    supervisor.close();

    assertThat(modes.modes).isEqualTo(Map.of(A, ComputeMode.DEFAULT));
  }

  @Test
  void remembersAGpu_whenItCouldNotBeMadeWhatItWas() throws IOException {
    up(share(A, B));
    modes.lost.add(A);

    supervisor.close();
    assertThat(Files.readString(remembered())).isEqualTo("GPU-a DEFAULT\n");

    modes.lost.clear();
    supervisor().share(List.of());
    assertThat(modes.modes).isEqualTo(Map.of(A, ComputeMode.DEFAULT, B, ComputeMode.DEFAULT));
    assertThat(remembered()).doesNotExist();
  }

  @Test
  void keepsTheDaemonAndTheFirstMemory_whenWeWereKilled() throws IOException {
    up(share(A));

    var next = supervisor();
    next.share(List.of(share(A)));
    next.poll();

    assertThat(control.taken())
        .containsExactly(
            "get_default_active_thread_percentage",
            "set_default_device_pinned_mem_limit GPU-a 20480M",
            "set_default_active_thread_percentage 25");
    assertThat(Files.readString(remembered())).isEqualTo("GPU-a DEFAULT\n");
    assertThat(next.states()).isEqualTo(Map.of(GPU, new Ready(now)));

    next.close();
    assertThat(modes.modes).isEqualTo(Map.of(A, ComputeMode.DEFAULT));
  }

  @Test
  void startsAnotherDaemon_whenWeWereKilledAndTheGpusAreOthers() throws IOException {
    up(share(A));

    var next = supervisor();
    next.share(List.of(share(B)));
    next.poll();

    assertThat(control.taken()).startsWith("quit", "start nvidia.com/gpu");
    assertThat(control.up).isEqualTo(Map.of(GPU, List.of(B)));
    assertThat(modes.modes)
        .isEqualTo(Map.of(A, ComputeMode.DEFAULT, B, ComputeMode.EXCLUSIVE_PROCESS));
    assertThat(Files.readString(remembered())).isEqualTo("GPU-b DEFAULT\n");
  }

  @Test
  void putsAwayWhatWasLeft_whenTheResourceIsNoLongerShared() {
    up(share(A));

    supervisor().share(List.of());

    assertThat(control.taken()).containsExactly("quit");
    assertThat(modes.modes).isEqualTo(Map.of(A, ComputeMode.DEFAULT));
  }

  @Test
  void changesPartsInPlace_whenOnlyTheyChange() {
    up(share(A));

    supervisor.share(List.of(new MpsShare(GPU, List.of(new SharedGpu(A, 8, BYTES)))));

    assertThat(control.taken())
        .containsExactly(
            "set_default_device_pinned_mem_limit GPU-a 10240M",
            "set_default_active_thread_percentage 12");
    assertThat(supervisor.states()).isEqualTo(Map.of(GPU, new Ready(now)));
  }

  @Test
  void startsAgain_whenTheGpusChange() {
    up(share(A));

    supervisor.share(List.of(share(A, B)));
    supervisor.poll();

    assertThat(control.up).isEqualTo(Map.of(GPU, List.of(A, B)));
    assertThat(control.taken()).startsWith("quit", "start nvidia.com/gpu");
  }

  @Test
  void leavesTheWorkOnTheOthers_whenOneGpuIsLost() throws IOException {
    up(share(A, B));
    modes.lost.add(A);

    supervisor.share(List.of(share(B)));
    supervisor.poll();

    assertThat(control.taken()).doesNotContain("quit", "start nvidia.com/gpu");
    assertThat(supervisor.states()).isEqualTo(Map.of(GPU, new Ready(now)));
    assertThat(Files.readString(remembered())).isEqualTo("GPU-a DEFAULT\nGPU-b DEFAULT\n");

    modes.lost.clear();
    supervisor.close();
    assertThat(modes.modes).isEqualTo(Map.of(A, ComputeMode.DEFAULT, B, ComputeMode.DEFAULT));
  }

  @Test
  void givesAGpuBackAtOnce_whenItIsNoLongerShared() {
    up(share(A, B));

    supervisor.share(List.of(share(B)));

    assertThat(control.taken()).doesNotContain("quit");
    assertThat(modes.modes)
        .isEqualTo(Map.of(A, ComputeMode.DEFAULT, B, ComputeMode.EXCLUSIVE_PROCESS));
  }

  @Test
  void takesAGpuAgain_whenAResetHasSetItFree() {
    up(share(A));
    modes.modes.put(A, ComputeMode.DEFAULT);

    supervisor.poll();

    assertThat(modes.modes).isEqualTo(Map.of(A, ComputeMode.EXCLUSIVE_PROCESS));
    assertThat(supervisor.states()).isEqualTo(Map.of(GPU, new Ready(now)));
  }

  @Test
  void goesDown_whenAGpuIsTakenOutOfUse() {
    up(share(A));
    modes.modes.put(A, ComputeMode.PROHIBITED);

    supervisor.poll();

    assertThat(supervisor.states().get(GPU)).isInstanceOf(Down.class);
    assertThat(modes.modes).isEqualTo(Map.of(A, ComputeMode.PROHIBITED));
  }

  @Test
  void isNotDown_whenOneGpuDoesNotAnswer() {
    up(share(A, B));
    modes.lost.add(A);

    supervisor.poll();

    assertThat(supervisor.states()).isEqualTo(Map.of(GPU, new Ready(now)));
  }

  @Test
  void keepsResourcesApart() {
    control.percentage = "50.0";
    supervisor.share(List.of(share(A), share("nvidia.com/gpu.large", B)));
    supervisor.poll();

    assertThat(control.up).isEqualTo(Map.of(GPU, List.of(A), "nvidia.com/gpu.large", List.of(B)));
    supervisor.share(List.of(share(A)));
    assertThat(control.up).isEqualTo(Map.of(GPU, List.of(A)));
    assertThat(modes.modes)
        .isEqualTo(Map.of(A, ComputeMode.EXCLUSIVE_PROCESS, B, ComputeMode.DEFAULT));
  }

  @Test
  void staysDown_whenAGpuWasTakenOutOfUse() {
    modes.modes.put(A, ComputeMode.PROHIBITED);
    up(share(A));

    assertThat(supervisor.states())
        .isEqualTo(
            Map.of(
                GPU,
                new Down(
                    "GPU-a is in compute mode PROHIBITED: it was taken out of use"
                        + " (nvidia-smi -i GPU-a -c DEFAULT ends that)",
                    now.plusSeconds(1))));
    assertThat(modes.calls).isEmpty();
    assertThat(remembered()).doesNotExist();
  }

  @Test
  void staysDown_whenAGpuIsLost() {
    modes.lost.add(B);
    up(share(A, B));

    assertThat(supervisor.states())
        .isEqualTo(
            Map.of(
                GPU,
                new Down(
                    "the compute mode of GPU-b cannot be read: GPU_IS_LOST (15)",
                    now.plusSeconds(1))));
    assertThat(modes.calls).isEmpty();
  }

  @Test
  void staysDownAndChangesNothing_whenTheModesCannotBeWrittenDown() throws IOException {
    Files.createDirectories(remembered().resolve("a folder in its place"));
    up(share(A));

    assertThat(supervisor.states().get(GPU)).isInstanceOf(Down.class);
    assertThat(modes.calls).isEmpty();
    assertThat(control.up).isEmpty();
  }

  @Test
  void staysDown_whenClientsWouldNotHaveTheDaemonsMemory() throws IOException {
    Files.delete(root.resolve("shm"));
    up(share(A));

    assertThat(supervisor.states())
        .isEqualTo(
            Map.of(
                GPU,
                new Down(
                    root.resolve("shm")
                        + " is missing. MPS clients and the daemon need the same memory: mount one"
                        + " tmpfs at both "
                        + root.resolve("shm")
                        + " and "
                        + root.resolve("shm")
                        + " of this container",
                    now.plusSeconds(1))));
    assertThat(modes.calls).isEmpty();
  }

  @Test
  void readsOnWithoutThatLine_whenTheMemoryIsDamaged() throws IOException {
    Files.createDirectories(remembered().getParent());
    Files.writeString(remembered(), "GPU-a DEFAULT\nGPU-b\n\0\n");
    modes.modes.put(A, ComputeMode.EXCLUSIVE_PROCESS);

    supervisor().share(List.of());

    assertThat(modes.modes).isEqualTo(Map.of(A, ComputeMode.DEFAULT));
  }

  private void up(MpsShare share) {
    supervisor.share(List.of(share));
    supervisor.poll();
    control.taken();
  }

  private MpsSupervisor supervisor() {
    Path shm = root.resolve("shm");
    return new MpsSupervisor(
        new MpsSettings("nvidia-cuda-mps-control", root, shm, Duration.ofSeconds(1)),
        control,
        modes,
        () -> now);
  }

  private Path remembered() {
    return root.resolve(GPU).resolve(MpsPaths.MODES);
  }

  private static MpsShare share(GpuUuid... gpus) {
    return share(GPU, gpus);
  }

  private static MpsShare share(String resource, GpuUuid... gpus) {
    return new MpsShare(
        resource, List.of(gpus).stream().map(gpu -> new SharedGpu(gpu, 4, BYTES)).toList());
  }
}
