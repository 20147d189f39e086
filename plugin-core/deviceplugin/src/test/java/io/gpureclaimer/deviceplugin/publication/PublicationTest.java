package io.gpureclaimer.deviceplugin.publication;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.retry.Backoff;
import io.gpureclaimer.deviceplugin.labels.FakeLabelSink;
import io.gpureclaimer.deviceplugin.labels.NodeLabels;
import io.gpureclaimer.deviceplugin.publication.Publication.PublicationState;
import io.gpureclaimer.deviceplugin.publication.Published.Failed;
import io.gpureclaimer.deviceplugin.publication.Published.PublishFailure;
import io.gpureclaimer.deviceplugin.publication.Published.Same;
import io.gpureclaimer.deviceplugin.publication.Published.Written;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PublicationTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final NodeLabels ONE = new NodeLabels(Map.of("gpu-type", "h100"));
  private static final NodeLabels OTHER = new NodeLabels(Map.of("gpu-type", "t4"));
  private static final Failed DOWN = new Failed(PublishFailure.UNREACHABLE, "down");

  private final FakeLabelSink sink = new FakeLabelSink();
  private final Publication<NodeLabels> publication =
      new Publication<>(
          "labels",
          sink,
          Duration.ofMinutes(10),
          new Backoff(Duration.ofSeconds(2), Duration.ofSeconds(6), () -> 0));

  @Test
  void asksOnce_whileNothingChanges() {
    publication.tick(ONE, START);
    publication.tick(ONE, START.plusSeconds(599));

    assertThat(sink.asked()).containsExactly(ONE);
    assertThat(publication.state()).isEqualTo(new PublicationState(START, 1, 0, List.of(), null));
  }

  @Test
  void asksAtOnce_whenTheLabelsChange() {
    publication.tick(ONE, START);
    publication.tick(OTHER, START.plusSeconds(1));

    assertThat(sink.asked()).containsExactly(ONE, OTHER);
  }

  @Test
  void looksAgainNowAndThen_inCaseAnotherProgramChangedThem() {
    publication.tick(ONE, START);
    sink.answer(new Same(List.of()));
    publication.tick(ONE, START.plusSeconds(600));

    assertThat(sink.asked()).containsExactly(ONE, ONE);
    assertThat(publication.state())
        .isEqualTo(new PublicationState(START.plusSeconds(600), 1, 0, List.of(), null));
  }

  @Test
  void triesAgainWithGrowingPauses_untilItWorks() {
    sink.answer(DOWN);
    List<Long> attempts = new ArrayList<>();
    for (long second = 0; second <= 20; second++) {
      int before = sink.asked().size();
      publication.tick(second < 3 ? ONE : OTHER, START.plusSeconds(second));
      if (sink.asked().size() > before) {
        attempts.add(second);
      }
    }
    assertThat(attempts).containsExactly(0L, 2L, 6L, 12L, 18L);
    assertThat(publication.state()).isEqualTo(new PublicationState(null, 0, 5, List.of(), "down"));

    sink.answer(new Written(List.of()));
    publication.tick(OTHER, START.plusSeconds(24));
    assertThat(publication.state())
        .isEqualTo(new PublicationState(START.plusSeconds(24), 1, 0, List.of(), null));
  }
}
