package io.gpureclaimer.reclaimer.plan;

import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.reclaimer.plan.SpentBudgets.HourlyBudget;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class HourlyBudgetTest {

  @Test
  void beginsEmpty_andHoldsHalfOfTheBudgetAfterAnHour() {
    HourlyBudget bucket = HourlyBudget.empty(NOW);

    assertThat(bucket.filled(10, NOW).tokens()).isZero();
    assertThat(bucket.filled(10, NOW.plusSeconds(720)).tokens()).isEqualTo(1);
    assertThat(bucket.filled(10, NOW.plus(Duration.ofHours(9))).tokens()).isEqualTo(5);
  }

  @Test
  void neverHoldsAnything_whenNothingMayBeSpent() {
    assertThat(HourlyBudget.empty(NOW).filled(0, NOW.plus(Duration.ofDays(9))).tokens()).isZero();
  }

  @Test
  void isNotFilledByAClockThatWasSetBack() {
    assertThat(HourlyBudget.empty(NOW).filled(10, NOW.minusSeconds(3600)).tokens()).isZero();
  }

  /** Greedy all the time, and killed now and then; a negative pause is one with a restart in it. */
  @Property(tries = 2000)
  void noHourSeesMoreThanTheBudget_withHoweverManyRestarts(
      @ForAll @IntRange(min = 0, max = 40) int perHour,
      @ForAll @Size(min = 50, max = 300) List<@IntRange(min = -60, max = 900) Integer> pauses) {
    HourlyBudget bucket = HourlyBudget.empty(NOW);
    Instant now = NOW;
    var spent = new ArrayList<Instant>();
    for (int pause : pauses) {
      now = now.plusSeconds(Math.abs(pause));
      bucket = pause < 0 ? HourlyBudget.empty(now) : bucket.filled(perHour, now);
      while (bucket.tokens() >= 1) {
        bucket = bucket.without(1);
        spent.add(now);
      }
    }

    assertThat(mostInAnHour(spent)).isLessThanOrEqualTo(perHour);
  }

  private static int mostInAnHour(List<Instant> spent) {
    int most = 0;
    int first = 0;
    for (int last = 0; last < spent.size(); last++) {
      while (spent.get(first).plus(Duration.ofHours(1)).isBefore(spent.get(last))) {
        first++;
      }
      most = Math.max(most, last - first + 1);
    }
    return most;
  }
}
