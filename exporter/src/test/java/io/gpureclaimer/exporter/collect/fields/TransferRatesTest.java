package io.gpureclaimer.exporter.collect.fields;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.core.device.GpuUuid;
import io.gpureclaimer.core.vocabulary.DcgmField;
import io.gpureclaimer.exporter.collect.ManualTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class TransferRatesTest {
  private static final GpuUuid GPU = new GpuUuid("GPU-a");
  private static final DcgmField FIELD = DcgmField.DEV_NVLINK_BANDWIDTH_TOTAL;
  private static final GpuUuid OTHER = new GpuUuid("GPU-b");

  private final ManualTime time = new ManualTime();
  private final TransferRates rates = new TransferRates(time);

  @Test
  void tellsNothing_atTheFirstLook() {
    assertThat(rates.next(GPU, FIELD, 1_000_000)).isEmpty();
  }

  @Test
  void tellsTheTruncatedRateInDcgmsUnits() {
    rates.next(GPU, FIELD, 1_000_000);
    time.advance(Duration.ofMillis(1_500));

    assertThat(rates.next(GPU, FIELD, 1_000_000 + 3_001_499)).hasValue(2_000);
  }

  @Test
  void tellsZero_whenNothingWasTransferred() {
    rates.next(GPU, FIELD, 1_000_000);
    time.advance(Duration.ofSeconds(1));

    assertThat(rates.next(GPU, FIELD, 1_000_000)).hasValue(0);
  }

  @Test
  void tellsNothing_whenTheCounterWentBack_andGoesOnFromThere() {
    rates.next(GPU, FIELD, 1_000_000);
    time.advance(Duration.ofSeconds(1));
    assertThat(rates.next(GPU, FIELD, 10)).isEmpty();
    time.advance(Duration.ofSeconds(1));

    assertThat(rates.next(GPU, FIELD, 2_000_010)).hasValue(2_000);
  }

  @Test
  void readsTheCounterAsUnsigned() {
    rates.next(GPU, FIELD, Long.MAX_VALUE);
    time.advance(Duration.ofSeconds(1));

    assertThat(rates.next(GPU, FIELD, Long.MAX_VALUE + 2_000_000)).hasValue(2_000);
  }

  @Test
  void keepsGpusApart() {
    rates.next(GPU, FIELD, 1_000_000);
    time.advance(Duration.ofSeconds(1));

    assertThat(rates.next(OTHER, FIELD, 2_000_000)).isEmpty();
  }

  @Test
  void keepsFieldsApart() {
    rates.next(GPU, FIELD, 1_000_000);
    time.advance(Duration.ofSeconds(1));

    assertThat(rates.next(GPU, DcgmField.DEV_SM_CLOCK, 2_000_000)).isEmpty();
  }
}
