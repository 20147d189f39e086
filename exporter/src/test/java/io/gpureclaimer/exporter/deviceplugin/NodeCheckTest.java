package io.gpureclaimer.exporter.deviceplugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpureclaimer.core.doctor.Diagnosis;
import io.gpureclaimer.core.doctor.Outcome;
import io.gpureclaimer.exporter.collect.ManualTime;
import io.gpureclaimer.exporter.deviceplugin.NodeCheck.Examined;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class NodeCheckTest {
  private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");
  private static final Diagnosis WELL =
      new Diagnosis(List.of(new Diagnosis.Examined("GPUs", new Outcome.Ok("8 GPUs"))));

  private final ManualTime time = new ManualTime();
  private final ArrayDeque<Runnable> aside = new ArrayDeque<>();
  private @Nullable RuntimeException breaks;

  private final NodeCheck check =
      new NodeCheck(
          () -> {
            if (breaks != null) {
              throw breaks;
            }
            return WELL;
          },
          aside::add,
          time);

  @Test
  void nobodyWaits_andOneLookIsEnough() {
    assertThat(check.last()).isEmpty();
    assertThat(check.last()).isEmpty();
    assertThat(aside).hasSize(1);

    aside.remove().run();

    assertThat(check.last()).isEqualTo(Optional.of(new Examined(WELL, NOON)));
    assertThat(aside).isEmpty();
  }

  @Test
  void whatIsOldIsShown_whileTheNodeIsLookedAtAgain() {
    check.last();
    aside.remove().run();
    time.advance(Duration.ofSeconds(31));

    assertThat(check.last()).isEqualTo(Optional.of(new Examined(WELL, NOON)));

    aside.remove().run();
    assertThat(check.last()).isEqualTo(Optional.of(new Examined(WELL, NOON.plusSeconds(31))));
  }

  @Test
  void aLookThatBreaksDown_isNotTheLastOne() {
    breaks = new IllegalStateException("a driver that nobody has seen before");
    check.last();
    assertThatThrownBy(aside.remove()::run).isSameAs(breaks);
    breaks = null;

    assertThat(check.last()).isEmpty();
    aside.remove().run();
    assertThat(check.last()).isPresent();
  }
}
