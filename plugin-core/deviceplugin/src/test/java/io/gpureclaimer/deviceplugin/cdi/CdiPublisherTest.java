package io.gpureclaimer.deviceplugin.cdi;

import static io.gpureclaimer.deviceplugin.cdi.Inventories.divided;
import static io.gpureclaimer.deviceplugin.cdi.Inventories.instance;
import static io.gpureclaimer.deviceplugin.cdi.Inventories.mig;
import static io.gpureclaimer.deviceplugin.cdi.Inventories.uuid;
import static io.gpureclaimer.deviceplugin.cdi.Inventories.whole;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.deviceplugin.cdi.CdiOutcome.Cause;
import io.gpureclaimer.deviceplugin.cdi.CdiOutcome.Failed;
import io.gpureclaimer.deviceplugin.cdi.CdiOutcome.Kept;
import io.gpureclaimer.deviceplugin.cdi.CdiOutcome.Removed;
import io.gpureclaimer.deviceplugin.cdi.CdiOutcome.Unchanged;
import io.gpureclaimer.deviceplugin.cdi.CdiOutcome.Written;
import io.gpureclaimer.nvml.poll.GpuFacts;
import io.gpureclaimer.nvml.poll.GpuStatus.GpuFault;
import io.gpureclaimer.nvml.poll.GpuStatus.Responding;
import io.gpureclaimer.nvml.poll.GpuStatus.Unavailable;
import io.gpureclaimer.nvml.poll.NodeInventory;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CdiPublisherTest {
  private static final String KIND = "k8s.device-plugin.nvidia.com/gpu=";

  @TempDir Path folder;
  private FakeHost host;
  private CdiPublisher publisher;

  @BeforeEach
  void make() {
    host = new FakeHost(folder.resolve("host")).withDriver().withHook().withDevices(2);
    publisher = publisher(host.settings(FakeHost.SEARCHED));
  }

  @Test
  void offersEachGpuAndInstance_andNothingThatMeansAll() {
    var report =
        publisher.publish(Inventories.of(whole(0), divided(1, instance(mig(1), "1g.10gb", 30))));

    assertThat(report)
        .isEqualTo(
            new CdiReport(
                Map.of(file(), new Written(Cause.NEW)),
                List.of(KIND + uuid(0), KIND + mig(1)),
                List.of()));
  }

  @Test
  void writesOnce_whenNothingChanges() {
    publisher.publish(Inventories.of(whole(0)));

    assertThat(outcome(Inventories.of(whole(0)))).isEqualTo(new Unchanged());
  }

  @Test
  void writesAgain_whenTheFileVanished() throws IOException {
    publisher.publish(Inventories.of(whole(0)));
    Files.delete(file());

    assertThat(outcome(Inventories.of(whole(0)))).isEqualTo(new Written(Cause.VANISHED));
  }

  @Test
  void keepsTheNames_whenTheDriverIsUpgraded() throws IOException {
    var before = publisher.publish(Inventories.of(whole(0)));
    host.file(FakeHost.LIBRARIES + "/libcuda.so.570.86.10")
        .without(FakeHost.LIBRARIES + "/libcuda.so." + FakeHost.VERSION)
        .without(FakeHost.LIBRARIES + "/libnvidia-ml.so." + FakeHost.VERSION);

    var after = publisher.publish(Inventories.of("570.86.10", whole(0)));

    assertThat(after)
        .isEqualTo(
            new CdiReport(Map.of(file(), new Written(Cause.CHANGED)), before.devices(), List.of()));
    assertThat(Files.readString(file()))
        .contains("libcuda.so.570.86.10")
        .doesNotContain("libcuda.so." + FakeHost.VERSION);
  }

  @Test
  void writesAgain_whenAFileOfTheDriverAppears() {
    publisher.publish(Inventories.of(whole(0)));
    host.library("libnvidia-encode");

    assertThat(outcome(Inventories.of(whole(0)))).isEqualTo(new Written(Cause.CHANGED));
  }

  @Test
  void dropsAnInstance_whenItIsGone() {
    publisher.publish(
        Inventories.of(
            divided(1, instance(mig(1), "1g.10gb", 30), instance(mig(2), "1g.10gb", 39))));

    assertThat(
            publisher
                .publish(Inventories.of(divided(1, instance(mig(2), "1g.10gb", 39))))
                .devices())
        .containsExactly(KIND + mig(2));
  }

  @Test
  void removesTheFile_whenTheLastInstanceIsGone() {
    publisher.publish(Inventories.of(divided(0, instance(mig(1), "1g.10gb", 30))));

    assertThat(outcome(Inventories.of(divided(0)))).isEqualTo(new Removed());
    assertThat(file()).doesNotExist();
  }

  @Test
  void keepsADevice_whenItsGpuCannotBeAskedNow() {
    GpuFacts divided = divided(0, instance(mig(1), "1g.10gb", 30));
    var before = publisher.publish(Inventories.of(divided, whole(1)));

    var after =
        publisher.publish(
            Inventories.surveyed(
                new Unavailable(0, uuid(0), divided, GpuFault.HUNG, "hung"),
                new Responding(whole(1))));

    assertThat(after)
        .isEqualTo(new CdiReport(Map.of(file(), new Unchanged()), before.devices(), List.of()));
  }

  @Test
  void offersTheOthers_whenOneGpuWasNeverReadable() {
    var report =
        publisher.publish(
            Inventories.surveyed(
                new Unavailable(0, null, null, GpuFault.LOST, "lost"), new Responding(whole(1))));

    assertThat(report.devices()).containsExactly(KIND + uuid(1));
  }

  @Test
  void keepsTheFile_whenTheDriverReportsNothing() throws IOException {
    publisher.publish(Inventories.of(whole(0)));
    String before = Files.readString(file());

    assertThat(outcome(Inventories.of())).isEqualTo(new Kept());
    assertThat(outcome(Inventories.surveyed(new Unavailable(0, null, null, GpuFault.LOST, "lost"))))
        .isEqualTo(new Kept());
    assertThat(publisher.publish(Inventories.of((String) null, whole(0))))
        .isEqualTo(
            new CdiReport(
                Map.of(file(), new Kept()),
                List.of(KIND + uuid(0)),
                List.of("the driver does not report its version, so its files cannot be found")));
    assertThat(Files.readString(file())).isEqualTo(before);
  }

  @Test
  void saysWhatToDo_whenLibrariesAndModuleDiffer() {
    assertThat(publisher.publish(Inventories.of("570.86.10", whole(0))))
        .isEqualTo(
            kept(
                "no libraries of driver 570.86.10 below "
                    + host.root()
                    + ", but /usr/lib/x86_64-linux-gnu/libcuda.so.550.107.02,"
                    + " /usr/lib/x86_64-linux-gnu/libnvidia-ml.so.550.107.02: the kernel module and"
                    + " the libraries are of different versions; reload the module, or restart the"
                    + " node"));
  }

  @Test
  void saysWhatToDo_whenTheDriversRootIsNotMounted() {
    var empty = new FakeHost(folder.resolve("empty"));

    assertThat(publisher(empty.settings(FakeHost.SEARCHED)).publish(Inventories.of(whole(0))))
        .isEqualTo(
            kept(
                "no libraries of driver 550.107.02 below "
                    + empty.root()
                    + ": mount the root of the driver's files there"));
  }

  @Test
  void leavesOutAnInstance_whenItsFilesAreNotKnown() {
    var report =
        publisher.publish(Inventories.of(whole(0), divided(1, instance(mig(1), "1g.10gb", null))));

    assertThat(report)
        .isEqualTo(
            new CdiReport(
                Map.of(file(), new Written(Cause.NEW)),
                List.of(KIND + uuid(0)),
                List.of(
                    "MIG device "
                        + mig(1)
                        + " is not in the CDI specification: the kernel does not report which files"
                        + " below /dev/nvidia-caps open it (/proc/driver/nvidia-caps/mig-minors)")));
  }

  @Test
  void namesAnInstanceOfAnOldDriver_withoutItsSlashes() {
    assertThat(
            publisher
                .publish(
                    Inventories.of(divided(1, instance("MIG-" + uuid(1) + "/3/0", "1g.10gb", 30))))
                .devices())
        .containsExactly(KIND + "MIG-" + uuid(1) + "-3-0");
  }

  @Test
  void offersWhatTheOldFileHas_whenTheDiskIsFull() {
    publisher.publish(Inventories.of(whole(0)));
    Path cdi = folder.resolve("cdi");
    var full =
        new CdiPublisher(
            host.settings(FakeHost.SEARCHED),
            new CdiFolder(
                cdi,
                (file, _) -> {
                  throw new FileSystemException(file.toString(), null, "No space left on device");
                },
                _ -> false),
            new ForeignSpecifications(cdi, List.of(cdi)));

    assertThat(full.publish(Inventories.of(whole(0), whole(1))))
        .isEqualTo(
            new CdiReport(
                Map.of(file(), new Failed(noSpace())),
                List.of(KIND + uuid(0)),
                List.of(noSpace())));
  }

  @Test
  void reportsThatAFileWasDeleted_onceItIsThereAgain() throws IOException {
    publisher.publish(Inventories.of(whole(0)));
    Files.delete(file());

    assertThat(publisher.publish(Inventories.of(whole(0))))
        .isEqualTo(
            new CdiReport(
                Map.of(file(), new Written(Cause.VANISHED)),
                List.of(KIND + uuid(0)),
                List.of(
                    file()
                        + " had been deleted by another program, and is there again; containers"
                        + " that were"
                        + " started meanwhile have failed")));
    assertThat(publisher.publish(Inventories.of(whole(0))).problems()).isEmpty();
  }

  @Test
  void offersNothing_whereNoRuntimeSeesWhatIsWritten() throws IOException {
    publisher.publish(Inventories.of(whole(0)));
    Path cdi = folder.resolve("cdi");
    Files.delete(file());
    var cutOff =
        new CdiPublisher(
            host.settings(FakeHost.SEARCHED),
            new CdiFolder(cdi, Files::write, _ -> true),
            new ForeignSpecifications(cdi, List.of(cdi)));

    CdiReport report = cutOff.publish(Inventories.of(whole(0)));

    assertThat(report.devices()).isEmpty();
    assertThat(report.cutOff()).hasValueSatisfying(why -> assertThat(why).contains("/health"));
    assertThat(report.problems()).containsExactly(report.cutOff().orElseThrow());
    assertThat(file()).doesNotExist();
  }

  private String noSpace() {
    return "cannot write the CDI specification "
        + file()
        + ": No space left on device; what was there before stays in force";
  }

  @Test
  void warns_whenCudaCannotWork() {
    host.without("/dev/nvidia-uvm");

    assertThat(publisher.publish(Inventories.of(whole(0))).problems())
        .containsExactly(
            "/dev/nvidia-uvm is not there, so no CUDA program will start in a container: load the"
                + " kernel module nvidia-uvm (nvidia-modprobe -u -c=0)");
  }

  @Test
  void goesWithoutHooks_whenTheProgramThatWasNamedIsNotThere() throws IOException {
    var settings = host.settings(new CdiSettings.Hooks("/opt/nvidia-cdi-hook", Set.of()));

    assertThat(publisher(settings).publish(Inventories.of(whole(0))).problems())
        .containsExactly(
            "the hook program /opt/nvidia-cdi-hook is not on the host, so containers get the"
                + " smallest set of driver files; install the NVIDIA container toolkit, or name"
                + " where it is");
    assertThat(Files.readString(file())).doesNotContain("hooks");
  }

  @Test
  void leavesOutAHook_whenItIsDisabled() throws IOException {
    var settings =
        host.settings(
            new CdiSettings.Hooks(
                null, Set.of(HookName.ENABLE_CUDA_COMPAT, HookName.UPDATE_APPLICATION_PROFILE)));
    publisher(settings).publish(Inventories.of(whole(0)));

    assertThat(Files.readString(file()))
        .contains("update-ldcache")
        .doesNotContain("enable-cuda-compat");
  }

  @Test
  void reports_whenAnotherProgramWritesTheFile() throws IOException {
    publisher.publish(Inventories.of(whole(0)));
    Files.writeString(file(), "theirs");

    assertThat(publisher.publish(Inventories.of(whole(0))).problems())
        .containsExactly(
            file()
                + " had been changed by another program; is another device plugin running on this"
                + " node?");
  }

  @Test
  void reports_whenTheFolderCannotBeWritten() throws IOException {
    Files.writeString(folder.resolve("cdi"), "a file");

    assertThat(publisher.publish(Inventories.of(whole(0))).problems())
        .singleElement()
        .asString()
        .contains("is not a folder");
  }

  @Test
  void removesTheFileOfAnAccessory_whenItsDeviceFilesAreGone() {
    host.file("/dev/gdrdrv").file("/dev/nvidia-fs0");
    publisher.publish(Inventories.of(whole(0)));
    host.without("/dev/gdrdrv");

    var report = publisher.publish(Inventories.of(whole(0)));

    assertThat(report)
        .isEqualTo(
            new CdiReport(
                Map.of(
                    file(), new Unchanged(),
                    file("gds"), new Unchanged(),
                    file("gdrcopy"), new Removed()),
                List.of(KIND + uuid(0), "k8s.device-plugin.nvidia.com/gds=all"),
                List.of()));
    assertThat(file("gdrcopy")).doesNotExist();
  }

  @Test
  void keepsTheFileOfAnAccessory_whenTheDriverReportsNothing() {
    host.file("/dev/gdrdrv");
    publisher.publish(Inventories.of(whole(0)));
    host.without("/dev/gdrdrv");

    publisher.publish(Inventories.of());

    assertThat(file("gdrcopy")).exists();
  }

  @Test
  void leavesNothingBesideItsFile() throws IOException {
    publisher.publish(Inventories.of(whole(0)));
    publisher.publish(Inventories.of(whole(0), whole(1)));

    try (Stream<Path> files = Files.list(folder.resolve("cdi"))) {
      assertThat(files).containsExactly(file());
    }
  }

  private @Nullable CdiOutcome outcome(NodeInventory inventory) {
    return publisher.publish(inventory).files().get(file());
  }

  private CdiReport kept(String problem) {
    return new CdiReport(Map.of(file(), new Kept()), List.of(), List.of(problem));
  }

  private CdiPublisher publisher(CdiSettings settings) {
    Path cdi = folder.resolve("cdi");
    return new CdiPublisher(settings, cdi, List.of(folder.resolve("etc"), cdi));
  }

  private Path file() {
    return file("gpu");
  }

  private Path file(String deviceClass) {
    return folder.resolve("cdi").resolve("k8s.device-plugin.nvidia.com-" + deviceClass + ".json");
  }
}
