package io.gpureclaimer.deviceplugin.cdi;

import static io.gpureclaimer.deviceplugin.cdi.Inventories.divided;
import static io.gpureclaimer.deviceplugin.cdi.Inventories.instance;
import static io.gpureclaimer.deviceplugin.cdi.Inventories.mig;
import static io.gpureclaimer.deviceplugin.cdi.Inventories.whole;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.deviceplugin.cdi.spec.CdiKind;
import io.gpureclaimer.nvml.poll.NodeInventory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rewrite the files with {@code ./mvnw test -Dgolden.update=true}, then read the diff. */
class CdiGoldenTest {
  private static final Path GOLDEN = Path.of("src/test/resources/golden/cdi");

  @TempDir Path folder;

  @Test
  void hasAllOfTheDriver_whenThereIsAHookProgram() throws IOException {
    var host = host().withDriver().withHook().withDevices(2).withDrawing("0000:19:00.0", 0);

    check("full.json", host.settings(FakeHost.SEARCHED), Inventories.of(whole(0), whole(1)));
  }

  @Test
  void opensItsPartOfTheGpu_whenTheDeviceIsAnInstance() throws IOException {
    var host = host().withDriver().withHook().withDevices(2);

    check(
        "mig.json",
        host.settings(FakeHost.SEARCHED),
        Inventories.of(
            whole(0),
            divided(1, instance(mig(1), "1g.10gb", 30), instance(mig(2), "2g.20gb+me", 66))));
  }

  @Test
  void hasTheLeastThatCudaNeeds_whenThereIsNoHookProgram() throws IOException {
    var host = host().withDriver().withDevices(1);

    check(
        "minimal.json",
        host.settings(FakeHost.SEARCHED),
        Inventories.of(whole(0), divided(1, instance(mig(1), "1g.10gb", 30))));
  }

  @Test
  void namesTheHostsPaths_whenTheDriverIsInAContainer() throws IOException {
    var host = host().withDriver().withDevices(1);

    check(
        "driver-container.json",
        host.settings(
            new CdiSettings.Hooks(
                "/usr/local/nvidia/toolkit/nvidia-ctk", HookName.OFF_UNLESS_ASKED_FOR),
            "/run/nvidia/driver"),
        Inventories.of(whole(0)));
  }

  @Test
  void offersWhatStandsBesideTheGpus_whenItsFilesAreThere() throws IOException {
    var host =
        host()
            .file("/dev/nvidia-caps-imex-channels/channel0")
            .file("/dev/nvidia-fs0")
            .file("/dev/nvidia-fs1")
            .file("/dev/gdrdrv")
            .file("/dev/infiniband/uverbs0")
            .file("/dev/infiniband/rdma_cm")
            .file("/dev/infiniband/issm0")
            .file("/etc/cufile.json");
    var settings = host.settings(FakeHost.OFF);
    new CdiPublisher(settings, folder.resolve("cdi"), List.of()).publish(Inventories.of());

    for (String name : AccessoryDevices.classes()) {
      compare(name + ".json", settings.kind(name));
    }
  }

  private void check(String golden, CdiSettings settings, NodeInventory inventory)
      throws IOException {
    var report = new CdiPublisher(settings, folder.resolve("cdi"), List.of()).publish(inventory);

    compare(golden, settings.kind("gpu"));
    assertThat(report.problems()).isEmpty();
  }

  private void compare(String golden, CdiKind kind) throws IOException {
    String written = Files.readString(folder.resolve("cdi").resolve(kind.fileName()));
    Path file = GOLDEN.resolve(golden);
    if (Boolean.getBoolean("golden.update")) {
      Files.createDirectories(GOLDEN);
      Files.writeString(file, written);
    }
    assertThat(written).isEqualTo(Files.readString(file));
    assertThat(SchemaCheck.faults(written)).isEmpty();
  }

  private FakeHost host() {
    return new FakeHost(folder.resolve("host"));
  }
}
