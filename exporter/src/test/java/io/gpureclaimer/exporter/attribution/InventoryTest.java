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
import io.gpureclaimer.common.device.MigInstance;
import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.exporter.sample.GpuSample;
import io.gpureclaimer.exporter.sample.GpuSample.Answered;
import io.gpureclaimer.exporter.sample.GpuSample.Hung;
import io.gpureclaimer.exporter.sample.InstanceSample;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class InventoryTest {
  private static final GpuUuid A = new GpuUuid("GPU-a");
  private static final GpuUuid B = new GpuUuid("GPU-b");
  private static final MigInstance SEVEN = new MigInstance(A, 7, "1g.10gb", List.of("MIG-x"));
  private static final Inventory BOTH =
      Inventory.EMPTY.after(List.of(answered(0, A, SEVEN), answered(1, B)));

  @Test
  void knowsDevicesByAllTheirNames() {
    assertThat(BOTH.find(new ByUuid(A))).contains(Entity.whole(A));
    assertThat(BOTH.find(new ByIndex(1))).contains(Entity.whole(B));
    assertThat(BOTH.find(new InstanceByIndex(0, 7))).contains(Entity.instance(A, 7));
    assertThat(BOTH.find(new InstanceByUuid(A, 7))).contains(Entity.instance(A, 7));
    assertThat(BOTH.find(new ByMigUuid("MIG-x"))).contains(Entity.instance(A, 7));
  }

  @Test
  void guessesNothing() {
    assertThat(BOTH.find(new ByIndex(2))).isEmpty();
    assertThat(BOTH.find(new InstanceByIndex(2, 7))).isEmpty();
    assertThat(BOTH.find(new ByFile(0))).isEmpty();
    assertThat(BOTH.find(new InstanceByFile(0, 7))).isEmpty();
    assertThat(BOTH.find(new ByMigUuid("MIG-y"))).isEmpty();
  }

  /** The driver counts its GPUs by where they sit on the bus, the kernel by when it found them. */
  @Test
  void aDeviceFileIsThatOfTheGpuThatSaysSo_whateverItsIndex() {
    var crossed = Inventory.EMPTY.after(List.of(withFile(0, A, "1"), withFile(1, B, "0")));

    assertThat(crossed.find(new ByFile(0))).contains(Entity.whole(B));
    assertThat(crossed.find(new InstanceByFile(1, 7))).contains(Entity.instance(A, 7));
    assertThat(crossed.find(new ByIndex(0))).contains(Entity.whole(A));
  }

  @Test
  void aDeviceFileStaysThatOfItsGpu_whenItDoesNotSayItsNumberAgain() {
    var before = Inventory.EMPTY.after(List.of(withFile(0, A, "0")));

    assertThat(before.after(List.of(answered(0, A))).find(new ByFile(0))).contains(Entity.whole(A));
    assertThat(before.after(List.of(withFile(0, A, "1"))).find(new ByFile(0))).isEmpty();
  }

  @Test
  void aDeviceFileStaysThatOfItsGpu_whenAnotherIsTakenOutAndTheIndexesShift() {
    var both = Inventory.EMPTY.after(List.of(withFile(0, A, "0"), withFile(1, B, "1")));

    assertThat(both.after(List.of(new Hung(0, gpu(0, B)))).find(new ByFile(1)))
        .contains(Entity.whole(B));
    assertThat(both.after(List.of(withFile(0, B, "1"))).find(new ByFile(0))).isEmpty();
  }

  @Test
  void whatAGpuSaysNowCountsMoreThanWhatASilentOneSaidBefore() {
    var before = Inventory.EMPTY.after(List.of(withFile(0, A, "0")));

    assertThat(
            before.after(List.of(withFile(1, B, "0"), new Hung(0, gpu(0, A)))).find(new ByFile(0)))
        .contains(Entity.whole(B));
  }

  @Test
  void followsADivisionAnew() {
    var three = new MigInstance(A, 3, "3g.40gb", List.of("MIG-y", "MIG-z"));

    assertThat(BOTH.after(List.of(answered(0, A, three), answered(1, B))))
        .isEqualTo(
            new Inventory(
                Map.of(0, A, 1, B),
                Map.of(),
                Map.of("MIG-y", Entity.instance(A, 3), "MIG-z", Entity.instance(A, 3))));
  }

  @Test
  void letsTheInstancesStand_whenTheirGpuDoesNotAnswer() {
    var gpu = gpu(0, A);

    assertThat(BOTH.after(List.of(new Hung(0, gpu), answered(1, B)))).isSameAs(BOTH);
  }

  @Test
  void forgetsWhatIsGone() {
    assertThat(BOTH.after(List.of(answered(0, B))))
        .isEqualTo(new Inventory(Map.of(0, B), Map.of(), Map.of()));
    assertThat(BOTH.after(List.of())).isEqualTo(Inventory.EMPTY);
  }

  private static GpuSample withFile(int index, GpuUuid uuid, String minor) {
    return new Answered(
        gpu(index, uuid),
        Instant.EPOCH,
        List.of(),
        Set.of(),
        Map.of(DcgmField.DEV_MINOR_NUMBER, minor),
        List.of());
  }

  private static GpuSample answered(int index, GpuUuid uuid, MigInstance... instances) {
    var parts =
        Arrays.stream(instances)
            .map(instance -> new InstanceSample(instance, List.of(), Set.of()))
            .toList();
    return new Answered(gpu(index, uuid), Instant.EPOCH, List.of(), Set.of(), Map.of(), parts);
  }

  private static Gpu gpu(int index, GpuUuid uuid) {
    return new Gpu(index, uuid, "00000000:1" + index + ":00.0", "H100");
  }
}
