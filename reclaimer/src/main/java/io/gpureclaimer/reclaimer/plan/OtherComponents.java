package io.gpureclaimer.reclaimer.plan;

import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.cluster.PodView.Waiting;
import io.gpureclaimer.reclaimer.cluster.SchedulingFacts.ProvisioningNotice;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which pending pods another component is about to serve: a scheduler that preempts, or an
 * autoscaler. Nothing is reclaimed for them meanwhile, up to a limit that begins with the first
 * announcement of the component. So a component that announces again and again, and fails, has one
 * try.
 *
 * @param nominations by UID of the pod, where the scheduler expects it
 * @param added nodes for other pods
 */
record OtherComponents(
    ClusterView cluster,
    Map<String, Nominated> nominations,
    AddedNodes added,
    Duration limit,
    Instant now) {

  /**
   * The scheduler expects a pending pod on a node.
   *
   * @param since when that was first seen; Kubernetes does not say
   */
  record Nominated(String node, Instant since) {}

  /**
   * Another component is about to serve a pending unit.
   *
   * @param until when it is not waited for any longer
   * @param sentence for people, without the final stop
   */
  record Expected(Instant until, String sentence) {}

  /** With a limit of zero, no component is waited for. */
  static OtherComponents in(
      ClusterView cluster, Map<String, Nominated> nominations, Duration limit, Instant now) {
    return new OtherComponents(
        cluster, limit.isZero() ? Map.of() : nominations, AddedNodes.in(cluster), limit, now);
  }

  /** Where the scheduler expects pending pods now, with the times at which that was first seen. */
  static Map<String, Nominated> nominations(
      Map<String, Nominated> known, ClusterView cluster, Instant now) {
    var found = new HashMap<String, Nominated>();
    for (PodView pod : cluster.pods()) {
      pod.waiting()
          .filter(_ -> pod.awaitsGpus())
          .flatMap(Waiting::nominatedNode)
          .ifPresent(
              node -> {
                String uid = pod.ref().uid();
                Instant since =
                    Optional.ofNullable(known.get(uid)).map(Nominated::since).orElse(now);
                found.put(uid, new Nominated(node, since));
              });
    }
    return Map.copyOf(found);
  }

  /** Why it is not known what other components do; empty if it is known, or does not matter. */
  Optional<String> doubt() {
    return limit.isZero() ? Optional.empty() : cluster.scheduling().doubt();
  }

  /** Where the scheduler expects a pod, if it is waited for. */
  Optional<String> nodeFor(Demand demand) {
    return nominated(demand).map(Nominated::node);
  }

  private Optional<Nominated> nominated(Demand demand) {
    return Optional.ofNullable(nominations.get(demand.pod().uid()))
        .filter(nominated -> now.isBefore(nominated.since().plus(limit)));
  }

  /** The component that is waited for longest; empty if none is. */
  Optional<Expected> expected(PendingUnit unit) {
    if (nominations.isEmpty() && cluster.scheduling().announcements().isEmpty()) {
      return Optional.empty();
    }
    return unit.members().stream()
        .flatMap(member -> expected(member, unit.members().size() == 1))
        .max(Comparator.comparing(Expected::until).thenComparing(Expected::sentence));
  }

  private Stream<Expected> expected(Demand member, boolean isAlone) {
    String whom = isAlone ? "it" : "pod " + member.pod().name();
    Stream<Expected> preempting =
        nominated(member).stream()
            .map(
                nominated ->
                    expected(
                        nominated.since(),
                        "the scheduler has nominated " + nominated.node() + " for " + whom));
    Collection<List<ProvisioningNotice>> byComponent =
        cluster.scheduling().of(member.pod()).stream()
            .collect(Collectors.groupingBy(ProvisioningNotice::component))
            .values();
    Stream<Expected> announced =
        byComponent.stream()
            .flatMap(all -> current(all).stream())
            .map(one -> expected(one.first(), announcement(one.component(), whom, one.first())));
    return Stream.of(preempting, announced, shared(member, whom))
        .flatMap(each -> each)
        .filter(each -> now.isBefore(each.until()));
  }

  private Stream<Expected> shared(Demand member, String whom) {
    return added.beside(member).stream()
        .map(
            node ->
                expected(
                    node.since().isBefore(member.since()) ? node.since() : member.since(),
                    announcement(
                            ProvisioningNotice.CLUSTER_AUTOSCALER,
                            "pod " + node.pod().name(),
                            node.since())
                        + " and has not refused "
                        + whom));
  }

  private static String announcement(String component, String whom, Instant at) {
    return component + " announced a node for " + whom + " at " + seconds(at);
  }

  private Expected expected(Instant since, String what) {
    Instant until = since.plus(limit);
    return new Expected(until, what + "; nothing is reclaimed for it until " + seconds(until));
  }

  /** The first promise of a component, unless it has refused since the last one. */
  static Optional<ProvisioningNotice> current(List<ProvisioningNotice> ofOne) {
    Optional<Instant> refused = newest(ofOne.stream().filter(each -> !each.provides()));
    Optional<Instant> provided = newest(ofOne.stream().filter(ProvisioningNotice::provides));
    return ofOne.stream()
        .filter(ProvisioningNotice::provides)
        .min(Comparator.comparing(ProvisioningNotice::first))
        .filter(_ -> refused.isEmpty() || !refused.get().isAfter(provided.orElseThrow()));
  }

  private static Optional<Instant> newest(Stream<ProvisioningNotice> some) {
    return some.map(ProvisioningNotice::last).max(Comparator.naturalOrder());
  }

  private static Instant seconds(Instant instant) {
    return instant.truncatedTo(ChronoUnit.SECONDS);
  }
}
