package io.gpureclaimer.deviceplugin.health.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HealthChecksTest {

  @ParameterizedTest(name = "disabled {0}, enabled {1}: XID {2} counts: {3}")
  @CsvSource({
    ", , 48, true",
    ", , 31, false",
    "'', ' ', 48, true",
    "48, , 48, false",
    "'48, 79', , 79, false",
    "'48,79', , 62, true",
    "all, , 48, false",
    "ALL, , 48, false",
    "xids, , 48, false",
    "'74,xids', , 48, false",
    // What NVIDIA's comment promises, and its code does not keep.
    "all, 48, 48, true",
    "xids, 48, 48, true",
    "all, 48, 79, false",
    "48, 48, 48, true",
    ", 31, 31, true",
    ", all, 31, true",
    "all, all, 13, true",
    "all, 94, 94, true",
  })
  void whatIsEnabledWins(
      @Nullable String disabled, @Nullable String enabled, int xid, boolean counts) {
    assertThat(HealthChecks.of(disabled, enabled).recoveryOf(xid).isPresent()).isEqualTo(counts);
  }

  @Test
  void withoutVariablesAllChecksAreMade() {
    assertThat(HealthChecks.of(null, null)).isEqualTo(HealthChecks.ALL);
  }

  @Test
  void xidsLeavesTheRecoveryAction_andAllDoesNot() {
    assertThat(HealthChecks.of("xids", null).seesNothing()).isFalse();
    assertThat(HealthChecks.of("all", null).seesNothing()).isTrue();
  }

  @Test
  void saysWhatItDoesNotUnderstand_andKeepsTheRest() {
    var checks = HealthChecks.of("48;79,62,xid", "everything,-1, 31");

    assertThat(checks.recoveryOf(62)).isEqualTo(Optional.empty());
    assertThat(checks.recoveryOf(48)).contains(RecoveryCondition.RESET);
    assertThat(checks.recoveryOf(31)).contains(RecoveryCondition.ALL_CLEAR);
    assertThat(checks.problems())
        .containsExactly(
            "DP_DISABLE_HEALTHCHECKS must be all or xids, or numbers of XIDs with commas between"
                + " them, had \"48;79\", which is left out",
            "DP_DISABLE_HEALTHCHECKS must be all or xids, or numbers of XIDs with commas between"
                + " them, had \"xid\", which is left out",
            "DP_ENABLE_HEALTHCHECKS must be all, or numbers of XIDs with commas between them, had"
                + " \"everything\", which is left out",
            "DP_ENABLE_HEALTHCHECKS must be all, or numbers of XIDs with commas between them, had"
                + " \"-1\", which is left out");
  }
}
