package io.gpureclaimer.reclaimer.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.gpureclaimer.reclaimer.evidence.source.PrometheusCompatibleServer;
import io.gpureclaimer.reclaimer.faults.PromQlValue.Element;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/**
 * Counters that reset and lose samples count in the simulation as in a real Prometheus, down to the
 * ends of a range that no sample is at.
 */
@EnabledIf("isPossible")
class CountersIT {
  private static final List<String> QUESTIONS =
      List.of("rate(counter[5m])", "increase(counter[15m])", "last_over_time(counter[3m])");
  private static final Pattern VALUE = Pattern.compile("\"value\":\\[[^,]*,\"([^\"]*)\"]");
  private static final long BEGIN = SkewedClocks.START.toEpochMilli();
  private static final int SAMPLES = 400;
  private static final long EVERY = 30_000;

  @TempDir private Path directory;

  static boolean isPossible() {
    return PrometheusCompatibleServer.PROMETHEUS.isHere();
  }

  @Test
  void theDoubleCountsAsARealOneDoes() throws IOException {
    var random = new Random(11);
    try (RealServer real = RealServer.start(PrometheusCompatibleServer.PROMETHEUS, directory)) {
      var storage = new SampleStorage(Optional.of(real));
      count(storage, random);
      int answers = 0;
      for (int i = 0; i < 100; i++) {
        // Within what the double keeps.
        long at = BEGIN + EVERY * (SAMPLES - 50) + random.nextInt((int) EVERY * 60);
        for (String question : QUESTIONS) {
          List<Double> expected = values(real.ask(question, at));
          List<Element> found = PromQlEvaluator.at(storage, at, question);
          answers += found.size();
          assertThat(found).as("%s at %d", question, at).hasSameSizeAs(expected);
          for (int each = 0; each < found.size(); each++) {
            assertThat(found.get(each).value())
                .as("%s at %d", question, at)
                .isCloseTo(expected.get(each), within(1e-6));
          }
        }
      }
      assertThat(answers).isBetween(100, 299);
    }
  }

  /** Half of the samples get lost, more at times, and it resets now and then. */
  private static void count(SampleStorage storage, Random random) {
    double count = 0;
    int lost = 50;
    for (int i = 0; i < SAMPLES; i++) {
      count = random.nextInt(20) == 0 ? 0 : count + random.nextInt(3);
      lost = random.nextInt(10) == 0 ? random.nextInt(100) : lost;
      boolean arrives = random.nextInt(100) >= lost;
      storage.scraped(
          "servers",
          "one",
          List.of(ExpositionSample.of("counter", Map.of("pod", "a"), count)),
          BEGIN + i * EVERY,
          _ -> arrives);
    }
  }

  private static List<Double> values(String answer) {
    return VALUE.matcher(answer).results().map(found -> Double.valueOf(found.group(1))).toList();
  }
}
