package io.gpureclaimer.exporter.attribution.kubernetes;

import io.gpureclaimer.exporter.attribution.NodePods.WatchState;
import io.gpureclaimer.exporter.attribution.ResourceClaims.Access;
import io.gpureclaimer.exporter.attribution.ResourceClaims.ClaimAllocation;
import io.gpureclaimer.exporter.attribution.ResourceClaims.ClaimName;
import io.gpureclaimer.exporter.attribution.ResourceClaims.ClaimUse;
import io.gpureclaimer.exporter.attribution.ResourceClaims.KnownClaims;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Cache of claims, with the times of their next queries.
 *
 * @param answers what the API server last said of each
 * @param known the same, for those who read
 * @param failures how often it did not answer since it last did
 * @param silentUntil when to ask next after a failure, by the monotonic clock, in nanoseconds
 */
record ClaimCache(
    Map<ClaimName, ClaimReply> answers, KnownClaims known, int failures, long silentUntil) {
  private static final Duration SHORTEST_PAUSE = Duration.ofSeconds(1);
  private static final int MOST_DOUBLINGS = 6;

  ClaimCache {
    answers = Map.copyOf(answers);
  }

  /** Nothing yet. */
  static ClaimCache empty(WatchState watch) {
    return new ClaimCache(Map.of(), new KnownClaims(watch, Map.of()), 0, 0);
  }

  /**
   * Response of the API server about a claim.
   *
   * @param allocation nothing if there is no such claim
   * @param pods uids of those who used it when it was asked for
   * @param asked how often it was asked for
   * @param again when to ask again, should this not be enough
   */
  record ClaimReply(ClaimAllocation allocation, Set<String> pods, int asked, long again) {

    /**
     * What a claim was given does not change while a pod uses it. But claims and pods are replaced
     * by others of their names, and then there is a pod of another uid.
     */
    boolean suffices(ClaimUse use) {
      return pods.containsAll(use.pods())
          && use.devices().stream()
              .noneMatch(device -> allocation.access(device) == Access.UNKNOWN);
    }
  }

  /**
   * Forgets those that are no longer used; and also that one of them was not reported, once there
   * is none left to ask for.
   */
  ClaimCache of(Map<ClaimName, ClaimUse> used) {
    var rest = new HashMap<>(answers);
    rest.keySet().retainAll(used.keySet());
    boolean lacksNone =
        used.entrySet().stream()
            .allMatch(
                each ->
                    rest.containsKey(each.getKey())
                        && rest.get(each.getKey()).suffices(each.getValue()));
    if (failures > 0 && lacksNone) {
      return new ClaimCache(rest, read(new WatchState.Synced(), rest), 0, 0);
    }
    return rest.size() == answers.size()
        ? this
        : new ClaimCache(rest, read(known.watch(), rest), failures, silentUntil);
  }

  /** Which claims to ask for now. */
  Map<ClaimName, ClaimUse> due(Map<ClaimName, ClaimUse> used, long now) {
    if (failures > 0 && now - silentUntil < 0) {
      return Map.of();
    }
    var due = new HashMap<>(used);
    answers.forEach(
        (claim, answer) ->
            due.computeIfPresent(
                claim, (_, use) -> answer.suffices(use) || now - answer.again() < 0 ? null : use));
    return due;
  }

  /** The API server has answered. */
  ClaimCache with(ClaimName claim, ClaimUse use, ClaimAllocation allocation, long now) {
    var before = answers.get(claim);
    int asked = before == null ? 1 : before.asked() + 1;
    var all = new HashMap<>(answers);
    all.put(claim, new ClaimReply(allocation, use.pods(), asked, now + pause(asked)));
    return new ClaimCache(all, read(new WatchState.Synced(), all), 0, 0);
  }

  /** The API server has not answered; what is known stands. */
  ClaimCache failed(String reason, long now) {
    return new ClaimCache(
        answers,
        new KnownClaims(new WatchState.NotSynced(reason), known.claims()),
        failures + 1,
        now + pause(failures + 1));
  }

  private static KnownClaims read(WatchState watch, Map<ClaimName, ClaimReply> answers) {
    var claims = new HashMap<ClaimName, ClaimAllocation>();
    answers.forEach((claim, answer) -> claims.put(claim, answer.allocation()));
    return new KnownClaims(watch, claims);
  }

  /** Twice as long each time, up to a minute. */
  private static long pause(int times) {
    return SHORTEST_PAUSE.toNanos() << Math.min(times, MOST_DOUBLINGS);
  }
}
