package io.gpureclaimer.reclaimer.verdict;

import static io.gpureclaimer.reclaimer.policy.PodDraft.pod;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.NOW;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.ago;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.time;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.reclaimer.action.evict.EvictPod;
import io.gpureclaimer.reclaimer.policy.Mode;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class WarningTest {

  @Test
  void writesWhatWasPromised() {
    assertThat(Warning.of(toWarn(Mode.ALWAYS), NOW).annotations())
        .isEqualTo(
            Map.of(
                "gpu-reclaimer.io/warned-at", Optional.of("2026-03-02T12:00:00Z"),
                "gpu-reclaimer.io/idle-since", Optional.of("2026-03-02T11:14:59.999999999Z"),
                "gpu-reclaimer.io/act-not-before", Optional.of("2026-03-02T12:15:00Z"),
                "gpu-reclaimer.io/warned-mode", Optional.of("always")));
  }

  @Test
  void removesWhatItWrites() {
    assertThat(Warning.removal().keySet())
        .isEqualTo(Warning.of(toWarn(Mode.ALWAYS), NOW).annotations().keySet());
  }

  @ParameterizedTest
  @EnumSource(names = {"NOTIFY", "ON_DEMAND", "ALWAYS"})
  void isReadAsItWasWritten(Mode mode) {
    Warning warning = Warning.of(toWarn(mode), NOW);

    assertThat(Warning.noteIn(written(warning))).isEqualTo(new Warning.Note.Given(warning));
  }

  @Test
  void promisesNoLaterTime_andOnlyToBeTakenOnDemand_whenNoPromiseIsWritten() {
    Map<String, String> annotations =
        JudgeScenario.map(
            "warned-at", "2026-03-02T12:00:00Z", "idle-since", "2026-03-02T11:00:00Z");

    assertThat(Warning.noteIn(annotations))
        .isEqualTo(
            new Warning.Note.Given(new Warning(NOW, ago("1h"), Optional.of(NOW), Mode.ON_DEMAND)));
  }

  @Test
  void countsOnlyIfEveryPodCarriesTheSame() {
    String[] given = JudgeScenario.warned("20m", "1h");
    String[] other = JudgeScenario.warned("10m", "1h");

    assertThat(noteOn(given, given)).isInstanceOf(Warning.Note.Given.class);
    assertThat(noteOn(given, other)).isEqualTo(new Warning.Note.Incomplete());
    assertThat(noteOn(given, new String[0])).isEqualTo(new Warning.Note.Incomplete());
    assertThat(noteOn(given, new String[] {"warned-at", "yesterday"}))
        .isEqualTo(new Warning.Note.Unreadable());
    assertThat(noteOn(new String[0], new String[0])).isEqualTo(new Warning.Note.None());
  }

  private static Warning.Note noteOn(String[] onOne, String[] onOther) {
    return Warning.noteOn(
        JudgeScenario.workload(
            pod("a").owner("ReplicaSet", "web").with(onOne).draw(),
            pod("b").owner("ReplicaSet", "web").with(onOther).draw()));
  }

  private static Map<String, String> written(Warning warning) {
    return warning.annotations().entrySet().stream()
        .collect(Collectors.toMap(Map.Entry::getKey, entry -> entry.getValue().orElseThrow()));
  }

  private static Verdict.ToWarn toWarn(Mode mode) {
    return new Verdict.ToWarn(
        JudgeScenario.workload(pod("a").draw()),
        ago("45m").minusNanos(1),
        time("45m"),
        mode,
        mode.acts() ? Optional.of(NOW.plus(time("15m"))) : Optional.empty(),
        Optional.empty(),
        new EvictPod());
  }
}
