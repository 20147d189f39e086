package io.gpureclaimer.exporter.attribution.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.exporter.attribution.NamespacedPodName;
import io.gpureclaimer.exporter.attribution.NodePods;
import io.gpureclaimer.exporter.attribution.NodePods.KnownPods;
import io.gpureclaimer.exporter.attribution.NodePods.RunningPod;
import io.gpureclaimer.exporter.attribution.NodePods.WatchState;
import io.gpureclaimer.exporter.sample.ContainerUsage;
import io.gpureclaimer.exporter.sample.ContainerUse;
import io.gpureclaimer.exporter.sample.DeviceAssignment;
import io.gpureclaimer.exporter.sample.DeviceProcesses;
import io.gpureclaimer.exporter.sample.DeviceProcesses.ProcessUse;
import io.gpureclaimer.exporter.sample.Holder;
import io.gpureclaimer.exporter.sample.ServedPodLabels;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ContainerUsageReaderTest {
  private static final String TRAIN_UID = "aaaaaaaa-1111-4000-8000-0123456789ab";
  private static final String OTHER_UID = "bbbbbbbb-1111-4000-8000-0123456789ab";
  private static final String STATIC_UID = "cccccccc-1111-4000-8000-0123456789ab";
  private static final String HASH = "0123456789abcdef0123456789abcdef";
  private static final String MAIN_ID = "8a9b".repeat(16);
  private static final String SIDE_ID = "77ee".repeat(16);
  private static final Holder MAIN = new Holder("ml", "train-0", "main", TRAIN_UID);
  private static final Holder SIDE = new Holder("ml", "train-0", "side", TRAIN_UID);
  private static final Holder OTHER = new Holder("ml", "other", "main", OTHER_UID);
  private static final Entity GPU = Entity.whole(new GpuUuid("GPU-a"));
  private static final long GIB = 1 << 30;
  private static final KnownPods PODS =
      new KnownPods(
          new WatchState.Synced(),
          Map.of(
              new NamespacedPodName("ml", "train-0"),
              new RunningPod(
                  TRAIN_UID, ServedPodLabels.NONE, Map.of(MAIN_ID, "main", SIDE_ID, "side")),
              new NamespacedPodName("ml", "other"),
              new RunningPod(OTHER_UID),
              new NamespacedPodName("ml", "static"),
              new RunningPod(STATIC_UID, ServedPodLabels.NONE, Map.of(), HASH)),
          Set.of());

  @TempDir Path proc;

  @BeforeEach
  void prepare() throws IOException {
    write("2", "comm", "kthreadd\n");
    run(10, TRAIN_UID, MAIN_ID);
    run(11, TRAIN_UID, MAIN_ID);
    run(12, TRAIN_UID, SIDE_ID);
    run(20, OTHER_UID, "00".repeat(32));
    write("99", "cgroup", "0::/system.slice/monitor.service\n");
  }

  @Test
  void addsUpTheProcessesOfEachContainer() {
    assertThat(
            uses(
                on(use(10, GIB, 30), use(11, GIB, 5), use(12, 5L, 1), use(20, 7L, 2)),
                MAIN,
                SIDE,
                OTHER))
        .isEqualTo(
            known(
                new ContainerUse(MAIN, 2 * GIB, 35.0),
                new ContainerUse(SIDE, 5L, 1.0),
                new ContainerUse(OTHER, 7L, 2.0)));
  }

  @Test
  void aHolderWithoutAProcessUsesNothing() {
    assertThat(uses(on(use(10, GIB, 30)), MAIN, OTHER))
        .isEqualTo(known(new ContainerUse(MAIN, GIB, 30.0), new ContainerUse(OTHER, 0L, 0.0)));
  }

  @Test
  void processesOfNoPod_orOfAPodThatDoesNotHoldTheDevice_areNobodys() {
    assertThat(uses(on(use(10, GIB, 30), use(20, GIB, 9), use(99, GIB, 9)), MAIN))
        .isEqualTo(known(new ContainerUse(MAIN, GIB, 30.0)));
  }

  @Test
  void saysNothingOfADevice_whenTheDriverListsAProcessThatIsNotThere() {
    assertThat(uses(on(use(10, GIB, 30), use(4711, GIB, 9)), MAIN))
        .isEqualTo(new ContainerUsage.Known(Map.of()));
  }

  @Test
  void saysNothingOfWhatTheDriverDoesNotReport() {
    assertThat(uses(on(use(10, null, 30), use(11, GIB, null)), MAIN))
        .isEqualTo(known(new ContainerUse(MAIN, null, null)));
    assertThat(uses(new DeviceProcesses(List.of(use(10, GIB, null)), false), MAIN))
        .isEqualTo(known(new ContainerUse(MAIN, GIB, null)));
  }

  @Test
  void saysNothingOfADevice_whenAProcessMayBeOfAnyHolder() throws IOException {
    var nothing = new ContainerUsage.Known(Map.of());
    run(30, "dddddddd-1111-4000-8000-0123456789ab", MAIN_ID);
    assertThat(uses(on(use(30, GIB, 3)), MAIN)).isEqualTo(nothing);
    run(31, TRAIN_UID, "ee".repeat(32));
    assertThat(uses(on(use(31, GIB, 3)), MAIN, SIDE)).isEqualTo(nothing);
    Files.createDirectories(proc.resolve("32").resolve("cgroup"));
    assertThat(uses(on(use(32, GIB, 3)), MAIN)).isEqualTo(nothing);
    assertThat(uses(on(use(10, GIB, 3)), new Holder("ml", "train-0", "main", null)))
        .isEqualTo(nothing);
  }

  @Test
  void aContainerThatIsNotKnownYetIsTheOnlyHolderOfItsPod() throws IOException {
    run(31, TRAIN_UID, "ee".repeat(32));
    assertThat(uses(on(use(31, GIB, 3)), MAIN)).isEqualTo(known(new ContainerUse(MAIN, GIB, 3.0)));
  }

  @Test
  void aProcessOfAHoldersPod_butOfNoContainerThatWeCanIdentify_isNotNobodys() throws IOException {
    write("40", "cgroup", "0::/kubepods/pod" + TRAIN_UID + "/wonder-1\n");

    assertThat(uses(on(use(40, GIB, 3)), MAIN)).isEqualTo(known(new ContainerUse(MAIN, GIB, 3.0)));
    assertThat(uses(on(use(40, GIB, 3)), MAIN, SIDE)).isEqualTo(new ContainerUsage.Known(Map.of()));
    assertThat(uses(on(use(40, GIB, 3)), OTHER)).isEqualTo(known(new ContainerUse(OTHER, 0L, 0.0)));
  }

  /** The kubelet lists the containers that come after it, and not the one that fills the memory. */
  @Test
  void aProcessOfAnInitContainerIsOfTheContainerThatWillHaveItsDevices() {
    assertThat(uses(on(use(12, GIB, 3)), MAIN)).isEqualTo(known(new ContainerUse(MAIN, GIB, 3.0)));
    assertThat(uses(on(use(12, GIB, 3)), MAIN, new Holder("ml", "train-0", "third", TRAIN_UID)))
        .isEqualTo(new ContainerUsage.Known(Map.of()));
  }

  /** The kubelet runs it from a file, and the API server has another uid for it. */
  @Test
  void knowsAStaticPodByItsHash() throws IOException {
    var fromFile = new Holder("ml", "static", "main", STATIC_UID);
    run(50, HASH, MAIN_ID);

    assertThat(uses(on(use(10, GIB, 3), use(50, 7L, 1)), MAIN, fromFile))
        .isEqualTo(known(new ContainerUse(MAIN, GIB, 3.0), new ContainerUse(fromFile, 7L, 1.0)));
  }

  /** Until the kubelet removes it, any user who may create pods can mark one as a static pod. */
  @Test
  void podsThatSayTheyHaveAnothersUid_takeNoneOfItsProcesses() {
    var running = new HashMap<>(PODS.running());
    for (int i = 0; i < 100; i++) {
      running.put(
          new NamespacedPodName("ml", "evil-" + i),
          new RunningPod("evil-" + i, ServedPodLabels.NONE, Map.of(), TRAIN_UID));
    }

    assertThat(uses(new KnownPods(PODS.watch(), running, Set.of()), on(use(10, GIB, 30)), MAIN))
        .isEqualTo(known(new ContainerUse(MAIN, GIB, 30.0)));
  }

  @Test
  void processesThatTakeTurnsHaveTheDeviceForAllOfTheTime_andNotForMore() {
    assertThat(uses(on(use(10, GIB, 90), use(11, GIB, 80)), MAIN))
        .isEqualTo(known(new ContainerUse(MAIN, 2 * GIB, 100.0)));
  }

  @Test
  void saysNothingOfADeviceWhoseProcessesAreNotReported() {
    assertThat(
            new ContainerUsageReader(new ProcFolder(proc))
                .of(Map.of(), Map.of(GPU, List.of(DeviceAssignment.of(MAIN))), PODS))
        .isEqualTo(new ContainerUsage.Known(Map.of()));
  }

  @Test
  void cannotKnow_whenTheHostsProcessesCannotBeSeen() throws IOException {
    write("2", "comm", "gpu-exporter\n");

    assertThat(uses(on(use(10, GIB, 30)), MAIN))
        .isEqualTo(
            new ContainerUsage.Unavailable(
                "the host's processes cannot be seen: hostPID is needed"));
  }

  @Test
  void cannotKnow_whenTheUidsAreNotKnown() {
    var uses = new ContainerUsageReader(new ProcFolder(proc));

    assertThat(uses.of(Map.of(), Map.of(), NodePods.NOTHING))
        .isEqualTo(
            new ContainerUsage.Unavailable(
                "the uids of the pods are not known: pod-uids are needed"));
    assertThat(
            uses.of(
                Map.of(),
                Map.of(),
                new KnownPods(new WatchState.NotSynced("pods is forbidden"), Map.of(), Set.of())))
        .isEqualTo(
            new ContainerUsage.Unavailable(
                "the uids of the pods are not known: pods is forbidden"));
  }

  private ContainerUsage uses(DeviceProcesses on, Holder... holders) {
    return uses(PODS, on, holders);
  }

  private ContainerUsage uses(KnownPods pods, DeviceProcesses on, Holder... holders) {
    return new ContainerUsageReader(new ProcFolder(proc))
        .of(
            Map.of(GPU, on),
            Map.of(GPU, Arrays.stream(holders).map(DeviceAssignment::of).toList()),
            pods);
  }

  private static ContainerUsage known(ContainerUse... uses) {
    return new ContainerUsage.Known(Map.of(GPU, List.of(uses)));
  }

  private static DeviceProcesses on(ProcessUse... running) {
    return new DeviceProcesses(List.of(running), true);
  }

  private static ProcessUse use(long pid, @Nullable Long bytes, @Nullable Integer percent) {
    return new ProcessUse(pid, bytes, percent == null ? null : percent.doubleValue());
  }

  private void run(long pid, String uid, String container) throws IOException {
    write(Long.toString(pid), "cgroup", "0::/kubepods/pod" + uid + "/" + container + "\n");
  }

  private void write(String process, String name, String text) throws IOException {
    Path folder = Files.createDirectories(proc.resolve(process));
    Files.writeString(folder.resolve(name), text);
  }
}
