package io.gpureclaimer.verification.bench;

import io.gpureclaimer.verification.bench.RecordedValues.RecordedRun;
import java.util.Map;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The page of measured values, from a template: {@code {{BENCHMARK}}} becomes the circumstances of
 * a recorded run, and {@code {{BENCHMARK.VALUE}}} one of its values.
 */
final class PerformancePage {
  private static final Pattern PLACE = Pattern.compile("\\{\\{([a-z-]+)(?:\\.([^}]+))?}}");
  private static final String NOTICE =
      "<!-- Written by the build from verification/bench-page.md and verification/bench-values.json; do"
          + " not edit. -->\n\n";

  private PerformancePage() {}

  /**
   * @throws IllegalArgumentException if the template names what was not recorded
   */
  static String of(String template, Map<String, RecordedRun> runs) {
    String page =
        PLACE.matcher(template).replaceAll(place -> Matcher.quoteReplacement(text(place, runs)));
    int afterTitle = page.indexOf("\n\n") + 2;
    return page.substring(0, afterTitle) + NOTICE + page.substring(afterTitle);
  }

  private static String text(MatchResult place, Map<String, RecordedRun> runs) {
    Optional<RecordedRun> run = Optional.ofNullable(runs.get(place.group(1)));
    return Optional.ofNullable(place.group(2))
        .map(name -> run.map(it -> it.values().get(name)).map(MeasuredValue::show))
        .orElseGet(() -> run.map(it -> it.machine().show()))
        .orElseThrow(() -> new IllegalArgumentException("no recorded value for " + place.group()));
  }
}
