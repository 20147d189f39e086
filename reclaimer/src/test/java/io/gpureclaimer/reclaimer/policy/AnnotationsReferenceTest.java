package io.gpureclaimer.reclaimer.policy;

import static io.gpureclaimer.common.program.ReferencePage.code;
import static java.util.Map.entry;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.program.ReferencePage;
import io.gpureclaimer.common.vocabulary.Annotations;
import io.gpureclaimer.reclaimer.policy.PolicyKeys.PolicyKey;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The page with all annotations. */
class AnnotationsReferenceTest {

  /** For people; what a value may be, the grammar says. */
  private static final Map<String, String> MEANINGS =
      Map.ofEntries(
          entry(
              Annotations.MODE,
              "what happens to idle workloads: nothing (`off`), a report (`report`, the default), a"
                  + " warning (`notify`), reclaimed for pending pods (`on-demand`), reclaimed"
                  + " (`always`)"),
          entry(Annotations.IDLE_AFTER, "how long all GPUs of the workload must have been idle"),
          entry(Annotations.WARN_BEFORE, "time between warning and action"),
          entry(Annotations.GRACE, "the same as `warn-before`"),
          entry(Annotations.STARTUP_GRACE, "how long after its start the idle time begins"),
          entry(Annotations.CLASS, "what the workload is for, where that is not detected"),
          entry(
              Annotations.ACTION,
              "how it is reclaimed; `none`, and an action that does not fit, is only reported"),
          entry(
              Annotations.RESTORE,
              "when a reclaimed owner is restored without a request. `manual` (the default): never."
                  + " `on-demand-clear`: when no pending pod needs GPUs and enough are free."
                  + " `on-schedule`: when its protected hours begin"),
          entry(
              Annotations.PARTIAL,
              "`true`: the idle replicas of a Deployment may be reclaimed while its other replicas"
                  + " work; by default a workload is reclaimed as a whole or not at all"),
          entry(Annotations.EXCLUDE, "`true`: never warned, never reclaimed"),
          entry(
              Annotations.KEEP_UNTIL,
              "only reported until then; a day is its first midnight in UTC"),
          entry(Annotations.PROTECTED_HOURS, "only reported in these hours, in that time zone"),
          entry(
              Annotations.SCRATCH,
              "files on volumes that it can write to and would lose: `emptyDir` (but not of"
                  + " `medium: Memory`, as for `/dev/shm`), `hostPath` and generic ephemeral ones;"
                  + " `disposable` may be lost with it"),
          entry(Annotations.NOTIFY, "further receivers of messages"),
          entry(
              Annotations.CHECKPOINT_URL,
              "the hook that is called right before the action, so that the workload saves its"
                  + " state; ignored unless the administrator allows it (`checkpoint.allowed`)"),
          entry(
              Annotations.LAST_ACTIVITY,
              "written by the workload itself: when it last did something"),
          entry(Annotations.MIN_IDLE_AFTER, "the shortest `idle-after` that others may ask for"),
          entry(Annotations.MAX_IDLE_AFTER, "the longest `idle-after` that others may ask for"),
          entry(
              Annotations.MAX_KEEP,
              "the idle time after which the workload's own `keep-until` no longer applies"),
          entry(Annotations.MAX_PER_RUN, "evictions of the namespace in one cycle"),
          entry(Annotations.MAX_PER_HOUR, "evictions of the namespace in any hour"),
          entry(Annotations.VICTIM_PRIORITY_MAX, "pods of a higher priority are not reclaimed"));

  private static final Map<String, String> WRITTEN =
      Map.of(
          Annotations.WARNED_AT, "when the owner was warned",
          Annotations.IDLE_SINCE, "since when the workload has been idle, by the node's clock",
          Annotations.ACT_NOT_BEFORE, "the earliest action that the warning announced, or `never`",
          Annotations.WARNED_MODE, "the mode under which the owner was warned",
          Annotations.ACTION_ID, "the name of the action that the warning announces");

  @Test
  void reportsAllKeys() {
    var page =
        new ReferencePage(
            "Annotations",
            "The nearest wins: pod, then owner, then namespace, within the bounds of the namespace."
                + " A value that is not understood never makes a policy more aggressive. Rules:"
                + " [decisions](decisions.md#policy).");
    page.section("Written by people")
        .table(List.of("annotation", "on", "value", "meaning"), policy())
        .section("Written by the reclaimer")
        .paragraph(
            "On every pod of a warned workload. Only the reclaimer writes them; they are no policy."
                + " How a program reads them: [checkpoints](../guide/checkpoint.md).")
        .table(
            List.of("annotation", "meaning"),
            PolicyKeys.STATE.stream().map(key -> List.of(code(key), WRITTEN.get(key))).toList());

    page.assertIsCommittedAs("annotations.md");
  }

  @Test
  void explainsNoOthers() {
    assertThat(MEANINGS.keySet())
        .containsExactlyInAnyOrderElementsOf(
            PolicyKeys.ALL.stream().map(PolicyKeys.PolicyKey::name).toList());
    assertThat(WRITTEN.keySet()).containsExactlyInAnyOrderElementsOf(PolicyKeys.STATE);
  }

  private static List<List<String>> policy() {
    return PolicyKeys.ALL.stream()
        .map(
            key ->
                List.of(
                    code(key.name()),
                    places(key),
                    key.rule().replaceFirst("^must be ", ""),
                    MEANINGS.getOrDefault(key.name(), "")))
        .toList();
  }

  private static String places(PolicyKey<?> key) {
    return key.places().stream()
        .sorted(Comparator.naturalOrder())
        .map(place -> place.name().toLowerCase(Locale.ROOT))
        .collect(joining(", "));
  }
}
