package io.gpureclaimer.reclaimer.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.reclaimer.policy.AnnotationReader.AnnotatedKind;
import io.gpureclaimer.reclaimer.policy.AnnotationReader.AnnotationValues;
import io.gpureclaimer.reclaimer.policy.EffectivePolicy.Remark;
import io.gpureclaimer.reclaimer.policy.PolicyKeys.PolicyKey;
import io.gpureclaimer.reclaimer.policy.PolicyKeys.ScratchData;
import io.gpureclaimer.reclaimer.policy.ProtectedHours.HourRange;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class AnnotationReaderTest {
  private static final String PREFIX = "gpu-reclaimer.io/";

  static Stream<Arguments> understood() {
    return Stream.of(
        Arguments.of("mode", "on-demand", Mode.ON_DEMAND),
        Arguments.of("idle-after", "1h30m", Duration.ofMinutes(90)),
        Arguments.of("warn-before", "10m", Duration.ofMinutes(10)),
        Arguments.of("startup-grace", "0s", Duration.ZERO),
        Arguments.of("class", "elastic", WorkloadClass.ELASTIC),
        Arguments.of("action", "suspend", ActionChoice.SUSPEND),
        Arguments.of("exclude", "true", true),
        Arguments.of("keep-until", "2026-03-05", Instant.parse("2026-03-05T00:00:00Z")),
        Arguments.of(
            "keep-until", "2026-03-05T08:00:00+01:00", Instant.parse("2026-03-05T07:00:00Z")),
        Arguments.of(
            "protected-hours",
            "Mon-Fri 09:00-18:00 Europe/Berlin",
            new ProtectedHours(
                List.of(
                    new HourRange(
                        DayOfWeek.MONDAY,
                        DayOfWeek.FRIDAY,
                        540,
                        1080,
                        ZoneId.of("Europe/Berlin"))))),
        Arguments.of("scratch", "disposable", ScratchData.DISPOSABLE),
        Arguments.of("notify", "ml-team, oncall", new ReceiverNames(List.of("ml-team", "oncall"))),
        Arguments.of("min-idle-after", "2h", Duration.ofHours(2)),
        Arguments.of("max-idle-after", "1w", Duration.ofDays(7)),
        Arguments.of("max-keep", "3d", Duration.ofDays(3)),
        Arguments.of("max-per-run", "0", 0),
        Arguments.of("max-per-hour", "10", 10),
        Arguments.of("victim-priority-max", "-10", -10));
  }

  @ParameterizedTest(name = "{0}: \"{1}\"")
  @MethodSource("understood")
  void takesWhatIsWritten(String key, String text, Object value) {
    assertThat(read(AnnotatedKind.NAMESPACE, key, text))
        .isEqualTo(new AnnotationValues("x", Map.of(PREFIX + key, value), List.of()));
  }

  @ParameterizedTest(name = "{0}: \"{1}\"")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "class | Batch | must be interactive, serving, batch, elastic or other",
        "action | delete | must be auto, evict, scale, suspend, stop or none",
        "startup-grace | 15 | must be a duration like 90s, 10m, 2h, 1h30m, 1d or 1w",
        "keep-until | tomorrow | must be a time like 2026-03-01T18:00:00Z or a day like 2026-03-01",
        "keep-until | 2026-02-30 | must be a time like 2026-03-01T18:00:00Z or a day like"
            + " 2026-03-01",
        "keep-until | 2026-03-01T18:00:00 | must be a time like 2026-03-01T18:00:00Z or a day like"
            + " 2026-03-01",
        "scratch | yes | must be keep or disposable",
        "notify | ml team | must be names of receivers with commas in between",
        "notify | a,,b | must be names of receivers with commas in between",
        "max-per-run | -1 | must be a whole number from 0 to 999999",
        "max-per-hour | 1.5 | must be a whole number from 0 to 999999",
        "victim-priority-max | 2147483648 | must be a priority, a whole number from -2147483648 to"
            + " 2147483647",
        "protected-hours | Mon-Fri 9-18 | must be hours like Mon-Fri 09:00-18:00 Europe/Berlin,"
            + " several with commas in between",
        "protected-hours | Mon 09:00-18:00 Europe/Atlantis | must be hours like Mon-Fri"
            + " 09:00-18:00 Europe/Berlin, several with commas in between",
      })
  void remarksOnWhatItDoesNotUnderstand(String key, String text, String rule) {
    String name = PREFIX + key;

    assertThat(read(AnnotatedKind.NAMESPACE, key, text))
        .isEqualTo(
            new AnnotationValues(
                "x",
                Map.of(),
                List.of(new Remark("x", name, text, rule + "; only reported on until then"))));
  }

  @ParameterizedTest
  @EnumSource(
      value = AnnotatedKind.class,
      names = {"OWNER", "POD"})
  void remarksOnKeysOfTheAdministrator_whereTenantsWrite(AnnotatedKind place) {
    Set<String> keys =
        Set.of(
            "min-idle-after",
            "max-idle-after",
            "max-keep",
            "max-per-run",
            "max-per-hour",
            "victim-priority-max");

    for (String key : keys) {
      String where = place == AnnotatedKind.POD ? "a pod" : "an owner of pods";
      assertThat(read(place, key, "1"))
          .isEqualTo(
              new AnnotationValues(
                  "x",
                  Map.of(),
                  List.of(
                      new Remark(
                          "x",
                          PREFIX + key,
                          "1",
                          "must not be on " + where + "; only reported on until then"))));
    }
  }

  @Test
  void graceIsWarnBefore() {
    assertThat(read(AnnotatedKind.POD, "grace", "20m").of(PolicyKeys.WARN_BEFORE))
        .contains(Duration.ofMinutes(20));
  }

  @Test
  void graceMustNotContradictWarnBefore() {
    Map<String, String> both = Map.of(PREFIX + "grace", "20m", PREFIX + "warn-before", "10m");

    assertThat(AnnotationReader.read("x", AnnotatedKind.POD, both).notUnderstood())
        .containsExactly(
            new Remark(
                "x",
                PREFIX + "grace",
                "20m",
                "must not differ from gpu-reclaimer.io/warn-before, which is the same; only"
                    + " reported on until then"));
  }

  @Test
  void takesTheActivityThatKubeflowWritesOnANotebook() {
    Map<String, String> written =
        Map.of(
            "notebooks.kubeflow.org/last-activity",
            "2026-03-02T11:00:00Z",
            PREFIX + "last-activity",
            "2026-03-02T10:00:00Z");

    PolicyKey<Instant> kubeflows = PolicyKeys.NOTEBOOK_LAST_ACTIVITY;
    assertThat(AnnotationReader.read("x", AnnotatedKind.OWNER, written).of(kubeflows))
        .contains(Instant.parse("2026-03-02T11:00:00Z"));
    assertThat(AnnotationReader.read("x", AnnotatedKind.POD, written).of(kubeflows)).isEmpty();
  }

  private static AnnotationValues read(AnnotatedKind place, String key, String text) {
    return AnnotationReader.read("x", place, Map.of(PREFIX + key, text));
  }
}
