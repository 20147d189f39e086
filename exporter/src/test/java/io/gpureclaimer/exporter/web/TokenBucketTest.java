package io.gpureclaimer.exporter.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class TokenBucketTest {
  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1);
  private final TokenBucket bucket =
      new TokenBucket(new RateLimit(Duration.ofMillis(500), 2), nanos::get);

  @Test
  void givesAsManyAsLieReady_thenOneInEachInterval() {
    assertThat(bucket.take()).isTrue();
    assertThat(bucket.take()).isTrue();
    assertThat(bucket.take()).isFalse();

    later(Duration.ofMillis(499));
    assertThat(bucket.take()).isFalse();
    later(Duration.ofMillis(1));
    assertThat(bucket.take()).isTrue();
    assertThat(bucket.take()).isFalse();
  }

  @Test
  void holdsNoMoreThanItsBurst() {
    later(Duration.ofDays(1));

    assertThat(bucket.take()).isTrue();
    assertThat(bucket.take()).isTrue();
    assertThat(bucket.take()).isFalse();
  }

  @Test
  void letsSomebodyIn() {
    assertThatIllegalArgumentException().isThrownBy(() -> new RateLimit(Duration.ZERO, 1));
    assertThatIllegalArgumentException().isThrownBy(() -> new RateLimit(Duration.ofSeconds(1), 0));
  }

  private void later(Duration time) {
    nanos.addAndGet(time.toNanos());
  }
}
