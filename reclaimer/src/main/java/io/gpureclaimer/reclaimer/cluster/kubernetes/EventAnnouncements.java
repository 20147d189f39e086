package io.gpureclaimer.reclaimer.cluster.kubernetes;

import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.cluster.SchedulingFacts.ProvisioningNotice;
import io.gpureclaimer.reclaimer.cluster.kubernetes.parser.ProvisioningParser.OfPod;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * What Events announce for pending pods, without nodes that do not come: Karpenter deletes a
 * NodeClaim without another Event on its pods. Confined to one view.
 *
 * @param events by pod
 * @param isGone whether the node of a NodeClaim with this name does not come
 * @param countsAtLeast how long an announcement counts in any case: longer than a watch of
 *     NodeClaims may be broken unnoticed
 */
record EventAnnouncements(
    Map<PodRef, List<OfPod>> events,
    Predicate<String> isGone,
    Duration countsAtLeast,
    Instant now) {

  /** Those that count, by pod; may be changed. */
  Map<PodRef, List<ProvisioningNotice>> announcements() {
    Map<PodRef, List<ProvisioningNotice>> found = new HashMap<>();
    events.forEach(
        (pod, all) -> {
          List<ProvisioningNotice> counting =
              all.stream().filter(each -> !isLost(each)).map(OfPod::announcement).toList();
          if (!counting.isEmpty()) {
            found.put(pod, counting);
          }
        });
    return found;
  }

  /**
   * The same announcements, where those of Karpenter begin with the first that does not count: one
   * that fails again and again has one try.
   */
  Map<PodRef, List<ProvisioningNotice>> withFirstTimes(
      Map<PodRef, List<ProvisioningNotice>> announcements) {
    Map<PodRef, List<ProvisioningNotice>> result = new HashMap<>(announcements);
    events.forEach(
        (pod, all) ->
            firstLost(all)
                .ifPresent(
                    first ->
                        result.computeIfPresent(
                            pod,
                            (_, some) -> some.stream().map(each -> since(first, each)).toList())));
    return result;
  }

  private Optional<Instant> firstLost(List<OfPod> events) {
    return events.stream()
        .filter(this::isLost)
        .map(each -> each.announcement().first())
        .min(Comparator.naturalOrder());
  }

  private static ProvisioningNotice since(Instant first, ProvisioningNotice notice) {
    return notice.component().equals(ProvisioningNotice.KARPENTER)
            && notice.provides()
            && first.isBefore(notice.first())
        ? new ProvisioningNotice(notice.component(), true, first, notice.last())
        : notice;
  }

  private boolean isLost(OfPod event) {
    return now.isAfter(event.announcement().last().plus(countsAtLeast))
        && event.nodeClaim().filter(isGone).isPresent();
  }
}
