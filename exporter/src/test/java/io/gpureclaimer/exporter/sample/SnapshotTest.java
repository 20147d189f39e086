package io.gpureclaimer.exporter.sample;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.common.device.GpuUuid;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SnapshotTest {
  private static final Entity DEVICE =
      Entity.whole(new GpuUuid("GPU-11111111-2222-3333-4444-555555555555"));
  private static final DeviceAssignment TRAIN =
      DeviceAssignment.of(new Holder("ml", "train-0", "main", null));
  private static final DeviceAssignment OTHER =
      DeviceAssignment.of(new Holder("ml", "other-0", "main", null));

  @Test
  void staysAsItWas_whenWhatItWasMadeOfChanges() {
    var holdings = new ArrayList<>(List.of(TRAIN));
    var snapshot = unattributed().withHoldings(Map.of(DEVICE, holdings));
    holdings.add(OTHER);

    assertThat(snapshot.holdings()).isEqualTo(Map.of(DEVICE, List.of(TRAIN)));
  }

  @Test
  void saysOnce_whatIsReportedTwice() {
    var snapshot = unattributed().withHoldings(Map.of(DEVICE, List.of(TRAIN, OTHER, TRAIN)));

    assertThat(snapshot.holdings()).isEqualTo(Map.of(DEVICE, List.of(TRAIN, OTHER)));
  }

  private static Snapshot unattributed() {
    return new Snapshot(
        Instant.EPOCH,
        "node-a",
        new DriverState.Up(null),
        List.of(),
        Map.of(),
        PassReport.NOTHING_ASKED);
  }
}
