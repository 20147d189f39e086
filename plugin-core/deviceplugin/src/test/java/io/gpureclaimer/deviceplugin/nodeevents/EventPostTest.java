package io.gpureclaimer.deviceplugin.nodeevents;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.retry.Backoff;
import io.gpureclaimer.deviceplugin.nodeevents.EventSink.Delivery;
import io.gpureclaimer.deviceplugin.nodeevents.EventSink.Delivery.Delivered;
import io.gpureclaimer.deviceplugin.nodeevents.EventSink.Delivery.Failed;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class EventPostTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private final FakeEventSink sink = new FakeEventSink();
  private final EventPost post =
      new EventPost(sink, new Backoff(Duration.ofSeconds(5), Duration.ofSeconds(20), () -> 0));

  @Test
  void writesEachOnce_inTheirOrder() {
    post.deliver(List.of(event("a"), event("b")), START);
    post.deliver(List.of(), START.plusSeconds(1));

    assertThat(sink.written).containsExactly("a", "b");
    assertThat(post.isWaiting()).isFalse();
  }

  @Test
  void triesAgainWithGrowingPauses_andKeepsTheOrder() {
    sink.answer = new Failed("down");
    post.deliver(List.of(event("a")), START);
    assertThat(post.isWaiting()).isTrue();
    post.deliver(List.of(event("b")), START.plusSeconds(4));
    post.deliver(List.of(), START.plusSeconds(5));
    post.deliver(List.of(), START.plusSeconds(14));
    assertThat(sink.written).containsExactly("a", "a");

    sink.answer = new Delivered();
    post.deliver(List.of(), START.plusSeconds(15));

    assertThat(sink.written).containsExactly("a", "a", "a", "b");
  }

  @Test
  void forgetsWhatIsOld() {
    sink.answer = new Failed("down");
    post.deliver(List.of(event("a")), START);

    sink.answer = new Delivered();
    post.deliver(List.of(), START.plus(Duration.ofMinutes(61)));

    assertThat(sink.written).containsExactly("a");
    assertThat(post.isWaiting()).isFalse();
  }

  @Test
  void writesTwentyFiveAtOnce_andThenOneInFiveMinutes() {
    List<NodeEvent> storm = IntStream.range(0, 100).mapToObj(n -> event("e" + n)).toList();

    post.deliver(storm, START);
    assertThat(sink.written).hasSize(25);
    post.deliver(storm, START.plus(Duration.ofMinutes(4)));
    assertThat(sink.written).hasSize(25);
    post.deliver(storm, START.plus(Duration.ofMinutes(12)));
    assertThat(sink.written).hasSize(27);
  }

  private static NodeEvent event(String reason) {
    return new NodeEvent(reason, true, "a message", "", START);
  }

  /** Remembers the reasons of what was to be written. */
  private static final class FakeEventSink implements EventSink {
    private final List<String> written = new ArrayList<>();
    private Delivery answer = new Delivered();

    @Override
    public String target() {
      return "the test";
    }

    @Override
    public Delivery write(NodeEvent event) {
      written.add(event.reason());
      return answer;
    }
  }
}
