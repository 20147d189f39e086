package io.gpureclaimer.reclaimer.plan;

import io.gpureclaimer.common.vocabulary.ResourceNames;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the scheduler's words about a pod that fits nowhere, for example {@code 0/3 nodes are
 * available: 1 node(s) had untolerated taint {a: b}, 2 Insufficient nvidia.com/gpu. preemption: …}.
 */
final class SchedulerMessage {
  private static final String GPUS_ARE_SHORT = "Insufficient " + ResourceNames.GPU;

  /** What keeps a pod off a node for reasons that we check ourselves. */
  private static final List<String> CHECKED_BY_US =
      List.of(
          GPUS_ARE_SHORT,
          "taint",
          "didn't match Pod's node affinity/selector",
          "were unschedulable",
          "were not ready");

  /** What the plugins say that were asked once no node was left; it gives no reasons. */
  private static final String AFTERWARDS = "(?:no new claims to deallocate|preemption: .*)";

  private static final Pattern SENTENCE =
      Pattern.compile(
          "^0/[0-9]+ nodes are available: (.+?)\\.?(?: %s(?:, %s)*)?$".replace("%s", AFTERWARDS));

  private static final Pattern NEXT_REASON = Pattern.compile(", (?=[0-9]+ )");

  private SchedulerMessage() {}

  /**
   * Whether free GPUs on a suitable node are all that is missing. A reason that is not understood
   * might remain after an eviction, so then the answer is no.
   */
  static boolean onlyGpusAreMissing(String message) {
    Matcher sentence = SENTENCE.matcher(message.strip());
    if (!sentence.matches()) {
      return false;
    }
    List<String> reasons = NEXT_REASON.splitAsStream(sentence.group(1)).toList();
    return reasons.stream().anyMatch(SchedulerMessage::isGpuShortage)
        && reasons.stream().allMatch(SchedulerMessage::isCheckedByUs);
  }

  private static boolean isGpuShortage(String reason) {
    return reason.endsWith(GPUS_ARE_SHORT);
  }

  private static boolean isCheckedByUs(String reason) {
    return CHECKED_BY_US.stream().anyMatch(reason::contains);
  }
}
