package io.gpureclaimer.exporter.collect.fields;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.common.time.ManualTime;
import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.exporter.collect.fields.FieldRow.Rate;
import io.gpureclaimer.exporter.collect.fields.FieldValueCollector.TransferRates;
import io.gpureclaimer.exporter.sample.Label;
import io.gpureclaimer.nvml.FieldQuery.Field;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class TransferRatesTest {
  private static final GpuUuid GPU = new GpuUuid("GPU-a");
  private static final Rate RATE =
      new Rate(DcgmField.DEV_NVLINK_BANDWIDTH_TOTAL, List.of(Field.ofAllLinks(138)));
  private static final GpuUuid OTHER = new GpuUuid("GPU-b");

  private final ManualTime time = new ManualTime();
  private final TransferRates rates = new TransferRates(time);

  @Test
  void reportsNothing_atTheFirstLook() {
    assertThat(rates.next(GPU, RATE, 1_000_000)).isEmpty();
  }

  @Test
  void reportsTheTruncatedRateInDcgmsUnits() {
    rates.next(GPU, RATE, 1_000_000);
    time.advance(Duration.ofMillis(1_500));

    assertThat(rates.next(GPU, RATE, 1_000_000 + 3_001_499)).hasValue(2_000);
  }

  @Test
  void reportsZero_whenNothingWasTransferred() {
    rates.next(GPU, RATE, 1_000_000);
    time.advance(Duration.ofSeconds(1));

    assertThat(rates.next(GPU, RATE, 1_000_000)).hasValue(0);
  }

  @Test
  void reportsNothing_whenTheCounterWentBack_andGoesOnFromThere() {
    rates.next(GPU, RATE, 1_000_000);
    time.advance(Duration.ofSeconds(1));
    assertThat(rates.next(GPU, RATE, 10)).isEmpty();
    time.advance(Duration.ofSeconds(1));

    assertThat(rates.next(GPU, RATE, 2_000_010)).hasValue(2_000);
  }

  @Test
  void readsTheCounterAsUnsigned() {
    rates.next(GPU, RATE, Long.MAX_VALUE);
    time.advance(Duration.ofSeconds(1));

    assertThat(rates.next(GPU, RATE, Long.MAX_VALUE + 2_000_000)).hasValue(2_000);
  }

  @Test
  void keepsGpusApart() {
    rates.next(GPU, RATE, 1_000_000);
    time.advance(Duration.ofSeconds(1));

    assertThat(rates.next(OTHER, RATE, 2_000_000)).isEmpty();
  }

  @Test
  void keepsFieldsApart() {
    rates.next(GPU, RATE, 1_000_000);
    time.advance(Duration.ofSeconds(1));

    assertThat(rates.next(GPU, new Rate(DcgmField.DEV_SM_CLOCK, RATE.asked()), 2_000_000))
        .isEmpty();
  }

  @Test
  void keepsLinksApart() {
    rates.next(GPU, ofLink("1"), 1_000_000);
    time.advance(Duration.ofSeconds(1));

    assertThat(rates.next(GPU, ofLink("2"), 2_000_000)).isEmpty();
    assertThat(rates.next(GPU, ofLink("1"), 2_000_000)).hasValue(1_000);
  }

  private static Rate ofLink(String number) {
    return new Rate(RATE.dcgmField(), List.of(new Label("nvlink", number)), RATE.asked());
  }
}
