package io.gpureclaimer.exporter.attribution;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.device.DeviceName.ByFile;
import io.gpureclaimer.common.device.DeviceName.ByIndex;
import io.gpureclaimer.common.device.DeviceName.ByMigUuid;
import io.gpureclaimer.common.device.DeviceName.ByUuid;
import io.gpureclaimer.common.device.DeviceName.InstanceByFile;
import io.gpureclaimer.common.device.DeviceName.InstanceByIndex;
import io.gpureclaimer.common.device.DeviceName.InstanceByUuid;
import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.common.device.Gpu;
import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.nvml.poll.GpuFacts;
import io.gpureclaimer.nvml.poll.GpuFacts.MigMode;
import io.gpureclaimer.nvml.poll.GpuFacts.RefusedInstance;
import io.gpureclaimer.nvml.poll.GpuStatus;
import io.gpureclaimer.nvml.poll.GpuStatus.GpuFault;
import io.gpureclaimer.nvml.poll.GpuStatus.Late;
import io.gpureclaimer.nvml.poll.GpuStatus.Responding;
import io.gpureclaimer.nvml.poll.GpuStatus.Unavailable;
import io.gpureclaimer.nvml.poll.MigFacts;
import io.gpureclaimer.nvml.poll.NodeInventory;
import io.gpureclaimer.nvml.poll.Topology;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DeviceLookupTest {
  private static final GpuUuid A = new GpuUuid("GPU-a");
  private static final GpuUuid B = new GpuUuid("GPU-b");
  private static final MigFacts X = new MigFacts("MIG-x", 7, 0, "1g.10gb", null, null, null);
  private static final MigFacts Y = new MigFacts("MIG-y", 3, 0, "3g.40gb", null, null, null);
  private static final DeviceLookup BOTH =
      of(new Responding(facts(0, A, 5, List.of(X), List.of())), new Responding(whole(1, B, 4)));

  @Test
  void findsDevicesByAllTheirNames() {
    assertThat(BOTH.find(new ByUuid(A))).contains(Entity.whole(A));
    assertThat(BOTH.find(new ByIndex(1))).contains(Entity.whole(B));
    assertThat(BOTH.find(new InstanceByIndex(0, 7))).contains(Entity.instance(A, 7));
    assertThat(BOTH.find(new InstanceByUuid(A, 7))).contains(Entity.instance(A, 7));
    assertThat(BOTH.find(new ByMigUuid("MIG-x"))).contains(Entity.instance(A, 7));
    assertThat(BOTH.find(new ByFile(4))).contains(Entity.whole(B));
    assertThat(BOTH.find(new InstanceByFile(5, 7))).contains(Entity.instance(A, 7));
  }

  @Test
  void guessesNothing() {
    assertThat(BOTH.find(new ByIndex(2))).isEmpty();
    assertThat(BOTH.find(new InstanceByIndex(2, 7))).isEmpty();
    assertThat(BOTH.find(new ByFile(0))).isEmpty();
    assertThat(BOTH.find(new InstanceByFile(0, 7))).isEmpty();
    assertThat(BOTH.find(new ByMigUuid("MIG-y"))).isEmpty();
  }

  @Test
  void keepsTheNamesOfAnUnavailableGpu() {
    var facts = facts(0, A, 5, List.of(X), List.of());
    var devices = of(new Unavailable(0, A, facts, GpuFault.HUNG, "hung"));

    assertThat(devices.find(new ByFile(5))).contains(Entity.whole(A));
    assertThat(devices.find(new ByMigUuid("MIG-x"))).contains(Entity.instance(A, 7));
  }

  @Test
  void keepsTheNameOfARefusedInstance_andThatOfTheOthers() {
    var devices =
        of(
            new Responding(
                facts(0, A, 5, List.of(X), List.of(new RefusedInstance(1, Y, "no permission")))));

    assertThat(devices.find(new ByMigUuid("MIG-x"))).contains(Entity.instance(A, 7));
    assertThat(devices.find(new ByMigUuid("MIG-y"))).contains(Entity.instance(A, 3));
  }

  @Test
  void whatAGpuReportsNowOutweighsWhatAnUnavailableOneReportedBefore() {
    var before = new Unavailable(0, A, whole(0, A, 0), GpuFault.LOST, "lost");

    assertThat(of(before, new Responding(whole(1, B, 0))).find(new ByFile(0)))
        .contains(Entity.whole(B));
  }

  /** The driver numbers GPUs by their place on the bus, the kernel in the order of discovery. */
  @Test
  void aDeviceFileIsThatOfTheGpuThatReportsIt_whateverItsIndex() {
    var crossed = of(new Responding(whole(0, A, 1)), new Responding(whole(1, B, 0)));

    assertThat(crossed.find(new ByFile(0))).contains(Entity.whole(B));
    assertThat(crossed.find(new InstanceByFile(1, 7))).contains(Entity.instance(A, 7));
    assertThat(crossed.find(new ByIndex(0))).contains(Entity.whole(A));
  }

  @Test
  void aDeviceFileStaysThatOfItsGpu_whenAnotherIsRemovedAndTheIndexesShift() {
    var responding = of(new Responding(whole(0, B, 1)));
    var hung = of(new Unavailable(0, B, whole(1, B, 1), GpuFault.HUNG, "hung"));

    assertThat(responding).isEqualTo(hung);
    assertThat(hung.find(new ByFile(1))).contains(Entity.whole(B));
    assertThat(hung.find(new ByFile(0))).isEmpty();
    assertThat(hung.find(new ByIndex(1))).isEmpty();
  }

  @Test
  void followsAnotherMigLayout() {
    assertThat(of(new Responding(facts(0, A, 5, List.of(Y), List.of()))))
        .isEqualTo(
            new DeviceLookup(Map.of(0, A), Map.of(5, A), Map.of("MIG-y", Entity.instance(A, 3))));
  }

  @Test
  void keepsTheNamesOfALateGpu() {
    assertThat(of(new Late(facts(0, A, 5, List.of(X), List.of())), new Responding(whole(1, B, 4))))
        .isEqualTo(BOTH);
  }

  private static DeviceLookup of(GpuStatus... gpus) {
    return DeviceLookup.of(new NodeInventory("550", null, List.of(gpus), Topology.UNKNOWN));
  }

  private static GpuFacts whole(int index, GpuUuid uuid, int minor) {
    return facts(index, uuid, minor, List.of(), List.of());
  }

  private static GpuFacts facts(
      int index, GpuUuid uuid, int minor, List<MigFacts> mig, List<RefusedInstance> refused) {
    return new GpuFacts(
        new Gpu(index, uuid, "00000000:1" + index + ":00.0", "H100"),
        minor,
        null,
        null,
        null,
        mig.isEmpty() ? MigMode.OFF : MigMode.ON,
        mig,
        refused,
        null,
        null,
        null);
  }
}
