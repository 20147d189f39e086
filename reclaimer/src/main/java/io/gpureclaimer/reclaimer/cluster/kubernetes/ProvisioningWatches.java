package io.gpureclaimer.reclaimer.cluster.kubernetes;

import static java.util.stream.Collectors.flatMapping;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventList;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.FilterWatchListDeletable;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.gpureclaimer.common.kubernetes.ViewStore;
import io.gpureclaimer.common.time.MonotonicClock;
import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.cluster.SchedulingFacts;
import io.gpureclaimer.reclaimer.cluster.SchedulingFacts.ProvisioningNotice;
import io.gpureclaimer.reclaimer.cluster.kubernetes.KindWatches.KindWatch;
import io.gpureclaimer.reclaimer.cluster.kubernetes.parser.ProvisioningParser;
import io.gpureclaimer.reclaimer.cluster.kubernetes.parser.ProvisioningParser.OfPod;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Watches of what autoscalers announce for pending pods: Events, selected by the API server, and
 * ProvisioningRequests. Safe for use by several threads.
 *
 * <p>Nothing is watched before the first GPU pod is pending.
 */
final class ProvisioningWatches implements AutoCloseable {
  private static final String CONSEQUENCE = "no workload is reclaimed for pending pods";
  private static final ObjectKind REQUEST =
      new ObjectKind("autoscaling.x-k8s.io/v1", "ProvisioningRequest");

  /** Which request a pod consumes; the second is the older name. */
  private static final List<String> CONSUMES =
      List.of(
          "autoscaling.x-k8s.io/consume-provisioning-request",
          "cluster-autoscaler.kubernetes.io/consume-provisioning-request");

  private final KindWatches<OfPod> events;
  private final KindWatches<Optional<ProvisioningNotice>> requests;

  private ProvisioningWatches(
      KindWatches<OfPod> events, KindWatches<Optional<ProvisioningNotice>> requests) {
    this.events = events;
    this.requests = requests;
  }

  static ProvisioningWatches of(
      KubernetesClient client, Discovery discovery, Duration staleAfter, MonotonicClock monotonic) {
    return new ProvisioningWatches(
        new KindWatches<>(
            CONSEQUENCE,
            kind ->
                Optional.of(
                    ObjectWatch.start(
                        kind.name(),
                        EventFilter.of(kind).select(client),
                        new ViewStore<>(Event::new, ProvisioningParser::of),
                        staleAfter,
                        monotonic)),
            monotonic),
        KindWatches.ofOptional(
            CONSEQUENCE,
            client,
            discovery,
            (GenericKubernetesResource request) -> ProvisioningParser.of(request),
            staleAfter,
            monotonic));
  }

  /** What is announced for those of the pods that are pending. */
  SchedulingFacts about(List<PodView> pods) {
    List<PodView> pending =
        pods.stream().filter(pod -> pod.awaitsGpus() && pod.waiting().isPresent()).toList();
    if (pending.isEmpty()) {
      return SchedulingFacts.NONE;
    }
    List<KindWatch<OfPod>> all =
        Stream.of(EventFilter.values()).map(filter -> events.asked(filter.kind())).toList();
    var doubts = new ArrayList<String>();
    all.stream()
        .flatMap(watch -> watch.doubt().stream())
        .map(why -> "Events cannot be read: " + why)
        .forEach(doubts::add);
    var waiting = new HashSet<PodRef>();
    pending.forEach(pod -> waiting.add(pod.ref()));
    Map<PodRef, List<ProvisioningNotice>> found =
        new HashMap<>(
            all.stream()
                .flatMap(watch -> watch.lastKnown().stream())
                .filter(known -> waiting.contains(known.pod()))
                .distinct()
                .collect(
                    groupingBy(
                        OfPod::pod,
                        flatMapping(known -> Stream.of(known.announcement()), toList()))));
    for (PodView pod : pending) {
      requestOf(pod).ifPresent(name -> addRequest(pod.ref(), name, found, doubts));
    }
    return new SchedulingFacts(found, doubts.stream().findFirst());
  }

  private void addRequest(
      PodRef pod, String name, Map<PodRef, List<ProvisioningNotice>> found, List<String> doubts) {
    KindWatch<Optional<ProvisioningNotice>> watch = requests.asked(REQUEST);
    watch.doubt().ifPresent(why -> doubts.add("ProvisioningRequests cannot be read: " + why));
    watch
        .lastKnown(pod.namespace(), name)
        .flatMap(known -> known)
        .ifPresent(
            announced ->
                found.merge(
                    pod,
                    List.of(announced),
                    (some, more) -> Stream.of(some, more).flatMap(List::stream).toList()));
  }

  private static Optional<String> requestOf(PodView pod) {
    return CONSUMES.stream()
        .flatMap(key -> Optional.ofNullable(pod.annotations().get(key)).stream())
        .findFirst();
  }

  /** Whether there is nothing to wait for. */
  boolean areSettled() {
    return events.areSettled() && requests.areSettled();
  }

  @Override
  public void close() {
    events.close();
    requests.close();
  }

  /** Which Events are watched; each is one watch, because field selectors know no "or". */
  private enum EventFilter {
    CLUSTER_AUTOSCALER("source=cluster-autoscaler"),
    KARPENTER_NOMINATES("reason=Nominated"),
    /** The default scheduler writes most of this reason, one for each pending pod. */
    KARPENTER_FAILS("reason=FailedScheduling,source!=default-scheduler");

    private final String fields;

    EventFilter(String fields) {
      this.fields = fields;
    }

    ObjectKind kind() {
      return new ObjectKind("v1", "Event (" + fields + ")");
    }

    static EventFilter of(ObjectKind kind) {
      return Stream.of(values())
          .filter(filter -> filter.kind().equals(kind))
          .findFirst()
          .orElseThrow();
    }

    FilterWatchListDeletable<Event, EventList, Resource<Event>> select(KubernetesClient client) {
      var ofPods = client.v1().events().inAnyNamespace().withField("involvedObject.kind", "Pod");
      return switch (this) {
        case CLUSTER_AUTOSCALER -> ofPods.withField("source", "cluster-autoscaler");
        case KARPENTER_NOMINATES -> ofPods.withField("reason", "Nominated");
        case KARPENTER_FAILS ->
            ofPods
                .withField("reason", "FailedScheduling")
                .withoutField("source", "default-scheduler");
      };
    }
  }
}
