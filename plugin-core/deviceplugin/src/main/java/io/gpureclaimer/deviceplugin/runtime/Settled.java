package io.gpureclaimer.deviceplugin.runtime;

import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Tells what has been wrong for a while, and what has been well again for a while, each once: what
 * is over at once is nothing that people have to know. Confined to one thread.
 */
final class Settled {
  private static final Duration A_WHILE = Duration.ofSeconds(10);

  private final Map<String, Trouble> told;

  /** What an earlier run told, and this one has not seen to be over. */
  private final Map<String, Trouble> before;

  /** What is otherwise than it was told, and when that was seen first. */
  private final Map<String, Instant> unsettled = new TreeMap<>();

  private Map<String, Trouble> wrong = Map.of();
  private @Nullable Instant firstSeen;

  /**
   * Has seen nothing yet.
   *
   * @param before what was told by an earlier run, and not yet that it is over
   */
  Settled(Map<String, Trouble> before) {
    this.told = new TreeMap<>(before);
    this.before = new TreeMap<>(before);
  }

  /**
   * What is to be told now, by what it is about.
   *
   * @param began since when, as far as it is known: not of what was wrong from the start
   * @param over as it was told when it began
   */
  record News(Map<String, Trouble> began, Map<String, Trouble> over) {}

  /** All that is wrong now, by what it is about. */
  void saw(Map<String, Trouble> now, Instant at) {
    if (firstSeen == null) {
      firstSeen = at;
    }
    wrong = Map.copyOf(now);
    Set<String> all = new HashSet<>(now.keySet());
    all.addAll(told.keySet());
    all.addAll(unsettled.keySet());
    for (String one : all) {
      boolean isWrong = now.containsKey(one);
      if (!isWrong && before.remove(one) != null) {
        unsettled.put(one, at);
      } else if (isWrong == told.containsKey(one) && !before.containsKey(one)) {
        unsettled.remove(one);
      } else {
        unsettled.putIfAbsent(one, at);
      }
    }
  }

  News news(Instant at) {
    Map<String, Trouble> began = new TreeMap<>();
    Map<String, Trouble> over = new TreeMap<>();
    unsettled.forEach(
        (one, since) -> {
          Trouble trouble = wrong.get(one);
          if (since.plus(A_WHILE).isAfter(at)) {
            return;
          }
          if (trouble == null) {
            over.put(one, told.get(one));
          } else {
            began.put(one, asTold(one, trouble, since.equals(firstSeen) ? null : since));
          }
        });
    began.keySet().forEach(unsettled::remove);
    over.keySet().forEach(unsettled::remove);
    told.putAll(began);
    told.keySet().removeAll(over.keySet());
    return new News(began, over);
  }

  /** The same words for the same incident: the earlier run may not have got through with them. */
  private Trouble asTold(String one, Trouble trouble, @Nullable Instant since) {
    Trouble earlier = before.remove(one);
    return earlier != null && earlier.text().equals(trouble.text())
        ? earlier
        : trouble.orSince(since);
  }

  /** What was told, and not yet that it is over. */
  Map<String, Trouble> told() {
    return Map.copyOf(told);
  }
}
