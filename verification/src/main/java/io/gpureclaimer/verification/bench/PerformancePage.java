package io.gpureclaimer.verification.bench;

import io.gpureclaimer.verification.bench.RecordedValues.RecordedRun;
import java.math.BigDecimal;
import java.util.Map;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The page of measured values, from a template: {@code {{BENCHMARK}}} becomes the circumstances of
 * a recorded run, and {@code {{BENCHMARK.VALUE}}} one of its values. {@code {{BENCHMARK.VALUE <=
 * NUMBER}}} also says whether a budget, in the unit of the value, is missed.
 */
final class PerformancePage {
  private static final Pattern PLACE =
      Pattern.compile("\\{\\{([a-z-]+)(?:\\.([^ }]+))?(?: <= ([0-9.]+))?}}");
  private static final String NOTICE =
      "<!-- Written by the build from verification/bench-page.template and verification/bench-values.json; do"
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
    Optional<String> text =
        place.group(2) == null
            ? run.map(it -> it.machine().show())
            : run.flatMap(it -> Optional.ofNullable(it.values().get(place.group(2))))
                .map(value -> value.show() + budget(value, Optional.ofNullable(place.group(3))));
    return text.orElseThrow(
        () -> new IllegalArgumentException("no recorded value for " + place.group()));
  }

  private static String budget(MeasuredValue value, Optional<String> most) {
    boolean missed =
        most.filter(limit -> value.number().compareTo(new BigDecimal(limit)) > 0).isPresent();
    return missed ? ", **missed**" : "";
  }
}
