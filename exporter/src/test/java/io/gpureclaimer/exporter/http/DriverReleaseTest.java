package io.gpureclaimer.exporter.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class DriverReleaseTest {
  private final AtomicLong nanos = new AtomicLong();
  private final DriverRelease release = new DriverRelease(nanos::get);

  @Test
  void isNotInForce_untilSomebodyAsks() {
    assertThat(release.left()).isEmpty();
  }

  @Test
  void lastsAsLongAsWasAsked_andNoLonger() {
    var released = ask(10);
    nanos.set(Duration.ofSeconds(4).toNanos());
    assertThat(release.left()).contains(Duration.ofSeconds(6));

    nanos.set(Duration.ofSeconds(10).toNanos());
    assertThat(release.left()).isEmpty();
    assertThat(released).isCompletedWithValue(false);
  }

  @Test
  void tellsWhoAsked_whatCameOfIt() {
    var released = ask(10);
    assertThat(released).isNotDone();
    release.answer(true);
    assertThat(released).isCompletedWithValue(true);

    var refused = ask(10);
    release.answer(false);
    assertThat(refused).isCompletedWithValue(false);
  }

  @Test
  void endsAtOnce_whenAskedTo() {
    var released = ask(10);
    release.end();

    assertThat(release.left()).isEmpty();
    assertThat(released).isCompletedWithValue(false);
  }

  @Test
  void holdsToTheLastWish_whenTwoAsk() {
    var first = ask(10);
    var second = ask(20);

    assertThat(second).isNotDone();
    assertThat(first).isCompletedWithValue(false);
    assertThat(release.left()).contains(Duration.ofSeconds(20));
  }

  private CompletableFuture<Boolean> ask(int seconds) {
    return release.ask(Duration.ofSeconds(seconds)).toCompletableFuture();
  }
}
