package io.gpureclaimer.deviceplugin.runtime;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Debounces conditions: reports each that has lasted, and each that has been over for a while.
 * Remembers nothing across restarts. Confined to one thread.
 */
final class ConditionDebouncer {
  private static final Duration A_WHILE = Duration.ofSeconds(10);

  /** Reported, and not yet that it is over. */
  private final Map<String, NodeCondition> reported = new TreeMap<>();

  /** What is otherwise than it was reported, and when that was seen first. */
  private final Map<String, Instant> unsettled = new TreeMap<>();

  private Map<String, NodeCondition> wrong = Map.of();
  private @Nullable Instant firstSeen;

  /**
   * What is to be reported now, by what it is about.
   *
   * @param began since when, as far as it is known: not of what was wrong from the start
   * @param over as it was reported when it began
   */
  record Changes(Map<String, NodeCondition> began, Map<String, NodeCondition> over) {}

  /** All that is wrong now, by what it is about. */
  void update(Map<String, NodeCondition> now, Instant at) {
    if (firstSeen == null) {
      firstSeen = at;
    }
    wrong = Map.copyOf(now);
    Set<String> all = new HashSet<>(now.keySet());
    all.addAll(reported.keySet());
    all.addAll(unsettled.keySet());
    for (String one : all) {
      boolean isWrong = now.containsKey(one);
      if (isWrong == reported.containsKey(one)) {
        unsettled.remove(one);
      } else {
        unsettled.putIfAbsent(one, at);
      }
    }
  }

  /**
   * Reported as begun and not as over: as it is now, or as it was reported if it has just ended.
   */
  Map<String, NodeCondition> reported() {
    Map<String, NodeCondition> standing = new TreeMap<>(reported);
    standing.replaceAll((one, asReported) -> wrong.getOrDefault(one, asReported));
    return standing;
  }

  /** What is wrong now, and has not lasted long enough to be reported. */
  Collection<NodeCondition> pending() {
    return wrong.entrySet().stream()
        .filter(one -> !reported.containsKey(one.getKey()))
        .map(Map.Entry::getValue)
        .toList();
  }

  Changes changes(Instant at) {
    Map<String, NodeCondition> began = new TreeMap<>();
    Map<String, NodeCondition> over = new TreeMap<>();
    unsettled.forEach(
        (one, since) -> {
          NodeCondition condition = wrong.get(one);
          if (since.plus(A_WHILE).isAfter(at)) {
            return;
          }
          if (condition == null) {
            over.put(one, reported.get(one));
          } else {
            began.put(one, condition.orSince(since.equals(firstSeen) ? null : since));
          }
        });
    began.keySet().forEach(unsettled::remove);
    over.keySet().forEach(unsettled::remove);
    reported.putAll(began);
    reported.keySet().removeAll(over.keySet());
    return new Changes(began, over);
  }

  /**
   * Something that is wrong with the node.
   *
   * @param text for people
   * @param unhealthy whether a device itself is; not one that is only held back
   * @param since when; null if not known
   */
  record NodeCondition(String text, boolean unhealthy, @Nullable Instant since) {

    /** The same, and if it is not known since when, since then. */
    NodeCondition orSince(@Nullable Instant then) {
      return since == null ? new NodeCondition(text, unhealthy, then) : this;
    }
  }
}
