package io.gpureclaimer.reclaimer.cluster.kubernetes.lease;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LeaseTermsTest {

  @ParameterizedTest(name = "{4}")
  @CsvSource({
    "'', PT15S, PT10S, PT2S, identity must not be blank",
    "me, PT15.5S, PT10S, PT2S, 'duration must be whole seconds, was PT15.5S'",
    "me, PT15S, PT10S, PT0S, 'retryPeriod must be positive, was PT0S'",
    "me, PT15S, PT10S, PT10S, 'retryPeriod must be shorter than renewDeadline, was PT10S against"
        + " PT10S'",
    "me, PT15S, PT15S, PT2S, 'renewDeadline must be shorter than duration, was PT15S against PT15S'"
  })
  void refusesTermsThatCannotHold(
      String identity, Duration duration, Duration deadline, Duration retry, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new LeaseTerms("ns", "lease", identity, duration, deadline, retry))
        .withMessage(message);
  }
}
