package io.gpureclaimer.exporter.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.simulator.Profile;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A problem found after the arguments were accepted names what the user can change. */
class FlagsInMessagesTest {
  private static final String PROBLEM =
      "sampling.stale-after must be at least twice sampling.interval, was 1000ms";

  @Test
  void namesTheFlag_howeverItWasSpelled() {
    for (String[] args : new String[][] {{"-c", "2000"}, {"--collect-interval=2000"}}) {
      assertThat(inFlags(Map.of(), args))
          .isEqualTo("sampling.stale-after must be at least twice --collect-interval, was 1000ms");
    }
  }

  @Test
  void namesTheVariable_whenThatSetIt() {
    assertThat(inFlags(Map.of("DCGM_EXPORTER_INTERVAL", "2000")))
        .isEqualTo(
            "sampling.stale-after must be at least twice DCGM_EXPORTER_INTERVAL, was 1000ms");
  }

  @Test
  void namesTheProperty_whenAFileSetIt() {
    assertThat(inFlags(Map.of(), "-d", "g:0")).isEqualTo(PROBLEM);
  }

  private static String inFlags(Map<String, String> environment, String... args) {
    return new CommandLineArguments(environment, Profile.names(), "1.0.0").inFlags(PROBLEM, args);
  }
}
