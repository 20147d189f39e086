package io.gpureclaimer.reclaimer.cluster.kubernetes;

import static java.util.stream.Collectors.groupingBy;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventList;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.FilterWatchListDeletable;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.gpureclaimer.common.kubernetes.ViewStore;
import io.gpureclaimer.common.time.MonotonicClock;
import io.gpureclaimer.reclaimer.cluster.NodeClaim;
import io.gpureclaimer.reclaimer.cluster.NodeClaimAssignment;
import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.cluster.SchedulingFacts;
import io.gpureclaimer.reclaimer.cluster.SchedulingFacts.ProvisioningNotice;
import io.gpureclaimer.reclaimer.cluster.kubernetes.KindWatches.KindWatch;
import io.gpureclaimer.reclaimer.cluster.kubernetes.parser.AcceleratorNames;
import io.gpureclaimer.reclaimer.cluster.kubernetes.parser.NodeClaimParser;
import io.gpureclaimer.reclaimer.cluster.kubernetes.parser.NodeClaimParser.NodeClaimState;
import io.gpureclaimer.reclaimer.cluster.kubernetes.parser.ProvisioningParser;
import io.gpureclaimer.reclaimer.cluster.kubernetes.parser.ProvisioningParser.OfPod;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Watches of what autoscalers announce for pending pods: Events, selected by the API server,
 * ProvisioningRequests, and NodeClaims. Safe for use by several threads.
 *
 * <p>Nothing is watched before the first GPU pod is pending.
 */
final class ProvisioningWatches implements AutoCloseable {
  private static final String CONSEQUENCE = "no workload is reclaimed for pending pods";
  private static final ObjectKind REQUEST =
      new ObjectKind("autoscaling.x-k8s.io/v1", "ProvisioningRequest");

  /** The newest version first. */
  private static final List<ObjectKind> NODE_CLAIM =
      List.of(
          new ObjectKind("karpenter.sh/v1", "NodeClaim"),
          new ObjectKind("karpenter.sh/v1beta1", "NodeClaim"));

  /** Which request a pod consumes; the second is the older name. */
  private static final List<String> CONSUMES =
      List.of(
          "autoscaling.x-k8s.io/consume-provisioning-request",
          "cluster-autoscaler.kubernetes.io/consume-provisioning-request");

  /** Two watches that work show changes at different times. */
  private static final Duration UNTIL_WATCHES_AGREE = Duration.ofSeconds(30);

  private final KindWatches<OfPod> events;
  private final KindWatches<Optional<ProvisioningNotice>> requests;
  private final KindWatches<NodeClaimState> nodeClaims;
  private final Duration eventsCountAtLeast;

  private ProvisioningWatches(
      KindWatches<OfPod> events,
      KindWatches<Optional<ProvisioningNotice>> requests,
      KindWatches<NodeClaimState> nodeClaims,
      Duration eventsCountAtLeast) {
    this.events = events;
    this.requests = requests;
    this.nodeClaims = nodeClaims;
    this.eventsCountAtLeast = eventsCountAtLeast;
  }

  static ProvisioningWatches of(
      KubernetesClient client,
      Discovery discovery,
      AcceleratorNames names,
      Duration staleAfter,
      MonotonicClock monotonic) {
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
            monotonic),
        KindWatches.ofOptional(
            CONSEQUENCE, client, discovery, new NodeClaimParser(names)::of, staleAfter, monotonic),
        staleAfter.plus(UNTIL_WATCHES_AGREE));
  }

  /** What is announced for those of the pods that are pending. */
  SchedulingFacts about(List<PodView> pods, Instant now) {
    List<PodView> pending =
        pods.stream().filter(pod -> pod.awaitsGpus() && pod.waiting().isPresent()).toList();
    if (pending.isEmpty()) {
      return SchedulingFacts.NONE;
    }
    var doubts = new ArrayList<String>();
    KindWatch<NodeClaimState> claims = nodeClaims(doubts);
    var announced =
        new EventAnnouncements(
            byEvents(pending, doubts), name -> isGone(claims, name), eventsCountAtLeast, now);
    Map<PodRef, List<ProvisioningNotice>> found = announced.announcements();
    for (PodView pod : pending) {
      requestOf(pod).ifPresent(name -> addRequest(pod.ref(), name, found, doubts));
    }
    NodeClaimAssignment.of(notReady(claims), pods, found)
        .forEach((pod, nodeClaim) -> add(nodeClaim.notice(), pod, found));
    return new SchedulingFacts(announced.withFirstTimes(found), doubts.stream().findFirst());
  }

  private Map<PodRef, List<OfPod>> byEvents(List<PodView> pending, List<String> doubts) {
    List<KindWatch<OfPod>> all =
        Stream.of(EventFilter.values()).map(filter -> events.asked(filter.kind())).toList();
    all.stream()
        .flatMap(watch -> watch.doubt().stream())
        .map(why -> "Events cannot be read: " + why)
        .forEach(doubts::add);
    var waiting = new HashSet<PodRef>();
    pending.forEach(pod -> waiting.add(pod.ref()));
    return all.stream()
        .flatMap(watch -> watch.lastKnown().stream())
        .filter(known -> waiting.contains(known.pod()))
        .distinct()
        .collect(groupingBy(OfPod::pod));
  }

  private void addRequest(
      PodRef pod, String name, Map<PodRef, List<ProvisioningNotice>> found, List<String> doubts) {
    KindWatch<Optional<ProvisioningNotice>> watch = requests.asked(REQUEST);
    watch.doubt().ifPresent(why -> doubts.add("ProvisioningRequests cannot be read: " + why));
    watch
        .lastKnown(pod.namespace(), name)
        .flatMap(known -> known)
        .ifPresent(announced -> add(announced, pod, found));
  }

  private static void add(
      ProvisioningNotice notice, PodRef pod, Map<PodRef, List<ProvisioningNotice>> found) {
    found.merge(
        pod, List.of(notice), (some, more) -> Stream.of(some, more).flatMap(List::stream).toList());
  }

  /** In the newest version that the API server has; without Karpenter, of none. */
  private KindWatch<NodeClaimState> nodeClaims(List<String> doubts) {
    KindWatch<NodeClaimState> last = new KindWatch.Starting<>();
    for (ObjectKind kind : NODE_CLAIM) {
      last = nodeClaims.asked(kind);
      if (!(last instanceof KindWatch.Absent<NodeClaimState>)) {
        last.doubt().ifPresent(why -> doubts.add("NodeClaims cannot be read: " + why));
        return last;
      }
    }
    return last;
  }

  /** A NodeClaim that is not known was deleted, as far as NodeClaims can be read. */
  private static boolean isGone(KindWatch<NodeClaimState> claims, String name) {
    return claims instanceof KindWatch.Running<NodeClaimState>
        && claims.doubt().isEmpty()
        && claims.lastKnown("", name).map(NodeClaimState.Lost.class::isInstance).orElse(true);
  }

  private static List<NodeClaim> notReady(KindWatch<NodeClaimState> claims) {
    return claims.lastKnown().stream().flatMap(state -> state.expected().stream()).toList();
  }

  private static Optional<String> requestOf(PodView pod) {
    return CONSUMES.stream()
        .flatMap(key -> Optional.ofNullable(pod.annotations().get(key)).stream())
        .findFirst();
  }

  /** Whether there is nothing to wait for. */
  boolean areSettled() {
    return events.areSettled() && requests.areSettled() && nodeClaims.areSettled();
  }

  @Override
  public void close() {
    events.close();
    requests.close();
    nodeClaims.close();
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
