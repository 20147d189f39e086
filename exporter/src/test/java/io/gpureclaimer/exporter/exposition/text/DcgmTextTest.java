package io.gpureclaimer.exporter.exposition.text;

import static io.gpureclaimer.common.vocabulary.DcgmField.DEV_POWER_USAGE;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.exporter.counters.ClassicCounters;
import io.gpureclaimer.exporter.exposition.TestSamples;
import io.gpureclaimer.exporter.sample.GpuSample.Answered;
import io.gpureclaimer.exporter.sample.Holder;
import io.gpureclaimer.exporter.sample.Reading;
import io.gpureclaimer.exporter.sample.Snapshot;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is kept from pass to pass never outlives what it was made of. */
class DcgmTextTest {
  private static final Holder NEXT = new Holder("ml", "next-0", "main", "0f3c-2");

  private final DcgmText text = new DcgmText(SeriesStyle.CLASSIC);

  @Test
  void namesTheNextPodAlone_whenTheHolderChanges() {
    render(TestSamples.twoGpus());
    String after = render(heldBy(List.of(NEXT)));

    assertThat(after).contains("pod=\"next-0\"").doesNotContain("train-0");
    assertThat(after).isEqualTo(new DcgmTextTest().render(heldBy(List.of(NEXT))));
  }

  @Test
  void namesNoHolder_whenThePodHasGone() {
    render(TestSamples.twoGpus());

    assertThat(render(heldBy(List.of()))).doesNotContain("pod=");
  }

  @Test
  void namesAPodAgain_whenItComesBack() {
    String before = render(TestSamples.twoGpus());
    render(heldBy(List.of(NEXT)));

    assertThat(render(TestSamples.twoGpus())).isEqualTo(before);
  }

  /** In six decimals each ratio of bit errors would be none. */
  @ParameterizedTest
  @CsvSource({
    "0, 0.000000",
    "7e-14, 7.0E-14",
    "0.0000004, 4.0E-7",
    "-0.0000005, -5.0E-7",
    "0.0000006, 0.000001",
    "0.25, 0.250000"
  })
  void writesSixDecimals_unlessTheySayThatSomethingIsNothing(double value, String expected) {
    var answered =
        new Answered(
            TestSamples.FIRST, Instant.EPOCH, List.of(new Reading(DEV_POWER_USAGE, value)));

    assertThat(render(TestSamples.of(List.of(answered), Map.of())))
        .endsWith("} " + expected + "\n");
  }

  private static Snapshot heldBy(List<Holder> holders) {
    return TestSamples.of(
        TestSamples.twoGpus().gpus(), Map.of(Entity.whole(TestSamples.FIRST.uuid()), holders));
  }

  private String render(Snapshot snapshot) {
    var buffer = new TextBuffer();
    text.render(snapshot, ClassicCounters.set(), buffer);
    return new String(buffer.toByteArray(), StandardCharsets.UTF_8);
  }
}
