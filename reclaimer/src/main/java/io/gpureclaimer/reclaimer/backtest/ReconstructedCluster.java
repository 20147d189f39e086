package io.gpureclaimer.reclaimer.backtest;

import io.gpureclaimer.reclaimer.cluster.Accelerators;
import io.gpureclaimer.reclaimer.cluster.Accelerators.Claimed;
import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.ClusterView.NamespaceView;
import io.gpureclaimer.reclaimer.cluster.OwnerView;
import io.gpureclaimer.reclaimer.cluster.Placement;
import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.cluster.PodTraits;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.cluster.PodView.PodPhase;
import io.gpureclaimer.reclaimer.evidence.DeviceActivity;
import io.gpureclaimer.reclaimer.evidence.Observation.HistoricalObservation;
import io.gpureclaimer.reclaimer.evidence.Observation.PodKey.PodName;
import io.gpureclaimer.reclaimer.evidence.Observation.Seen;
import io.gpureclaimer.reclaimer.evidence.PodActivity;
import io.gpureclaimer.reclaimer.policy.AnnotationReader;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Past cluster, reconstructed from the current cluster and the pods of the observations.
 *
 * <p>A pod that the cluster knows has its owner, annotations and requests of today. For a pod that
 * no longer exists these are unknown: it is modeled as a pod without an owner, with as many GPUs as
 * its agent reported. The last start of a pod's containers only is known, so that an earlier one is
 * taken to be the time when the pod was first observed. Confined to one thread.
 */
public final class ReconstructedCluster {
  private static final String SOME_NODE = "a node of then";
  private static final String SOME_PROFILE = "a profile of then";

  private final ClusterView today;
  private final Map<String, PodView> known;
  private final Map<String, NamespaceView> namespaces;
  private final Map<String, Instant> firstWatched = new HashMap<>();
  private final Set<String> gone = new HashSet<>();

  /**
   * A cluster of the past.
   *
   * @param modes what the namespaces' modes count as
   */
  public ReconstructedCluster(ClusterView today, ModeOverride modes) {
    this.today = today;
    this.known =
        today.pods().stream().collect(Collectors.toMap(pod -> pod.ref().uid(), pod -> pod));
    this.namespaces =
        today.namespaces().entrySet().stream()
            .collect(Collectors.toMap(Map.Entry::getKey, entry -> modes.of(entry.getValue())));
  }

  /**
   * The cluster at the moment of an observation.
   *
   * @param warnings what was written on pods since the first observation, by UID
   */
  public ClusterView at(
      HistoricalObservation observation, Map<String, Map<String, String>> warnings) {
    Seen seen = observation.seen();
    seen.pods().forEach((uid, pod) -> observed(uid, pod, seen.at()));
    var pods = new ArrayList<PodView>();
    for (PodView pod : today.pods()) {
      if (seen.pod(pod.ref().uid()).isPresent() || hasStarted(pod, seen.at())) {
        pods.add(as(pod, seen.at()));
      }
    }
    seen.pods()
        .forEach(
            (uid, activity) -> {
              PodName name = observation.names().get(uid);
              if (name != null && !known.containsKey(uid)) {
                gone.add(uid);
                pods.add(drawn(new PodRef(name.namespace(), name.name(), uid), activity));
              }
            });
    return new ClusterView(
        pods.stream().map(pod -> warned(pod, warnings)).toList(),
        namespaces,
        List.of(),
        owners(seen.at()));
  }

  /** Whether the pod no longer exists in the cluster. */
  public boolean isGone(String uid) {
    return gone.contains(uid);
  }

  /** How many of those that were seen no longer exist in the cluster. */
  public int gone() {
    return gone.size();
  }

  private void observed(String uid, PodActivity pod, Instant at) {
    if (!firstWatched.containsKey(uid)) {
      firstWatched.put(
          uid,
          pod.devices().stream()
              .map(DeviceActivity::observedSince)
              .min(Comparator.naturalOrder())
              .orElse(at));
    }
  }

  private static boolean hasStarted(PodView pod, Instant at) {
    return pod.startedAt().filter(start -> !start.isAfter(at)).isPresent();
  }

  private PodView as(PodView pod, Instant at) {
    return new PodView(
        pod.ref(),
        pod.resourceVersion(),
        PodPhase.RUNNING,
        false,
        pod.node().or(() -> Optional.of(SOME_NODE)),
        pod.accelerators(),
        pod.owner(),
        AnnotationReader.annotationsAt(at, pod.annotations()),
        pod.priority(),
        pod.untouchable(),
        Optional.empty(),
        pod.placement(),
        notAfter(at, pod.startedAt(), pod),
        notAfter(at, pod.readyAt(), pod),
        pod.startup(),
        pod.traits(),
        pod.budgets(),
        pod.gracePeriod(),
        Map.of());
  }

  /** It is unknown when it started or became ready before the last time. */
  private Optional<Instant> notAfter(Instant at, Optional<Instant> lastTime, PodView pod) {
    return lastTime.filter(at::isBefore).isPresent()
        ? Optional.ofNullable(firstWatched.get(pod.ref().uid()))
        : lastTime;
  }

  private PodView drawn(PodRef pod, PodActivity activity) {
    Optional<Instant> start = Optional.ofNullable(firstWatched.get(pod.uid()));
    return new PodView(
        pod,
        "",
        PodPhase.RUNNING,
        false,
        Optional.of(SOME_NODE),
        accelerators(activity),
        Optional.empty(),
        Map.of(),
        0,
        Optional.empty(),
        Optional.empty(),
        Placement.ANYWHERE,
        start,
        start,
        Optional.empty(),
        PodTraits.NONE,
        Optional.empty(),
        Optional.empty(),
        Map.of());
  }

  /** What it requested was what its agent says that it held. */
  private static Accelerators accelerators(PodActivity activity) {
    if (activity.deviceCount().isEmpty()) {
      return Accelerators.whole(0)
          .and(
              new Claimed.Unread(
                  "the pod is gone, and the number of GPUs that it requested is unknown"));
    }
    int instances =
        (int)
            activity.devices().stream()
                .filter(device -> device.device().instanceId().isPresent())
                .count();
    int whole = Math.max(0, activity.deviceCount().getAsInt() - instances);
    return new Accelerators(
        whole, instances == 0 ? Map.of() : Map.of(SOME_PROFILE, instances), false);
  }

  private static PodView warned(PodView pod, Map<String, Map<String, String>> warnings) {
    Map<String, String> warning = warnings.get(pod.ref().uid());
    if (warning == null) {
      return pod;
    }
    Map<String, String> annotations = new HashMap<>(pod.annotations());
    annotations.putAll(warning);
    return pod.annotated(annotations);
  }

  private Map<String, OwnerView> owners(Instant at) {
    return today.owners().entrySet().stream()
        .collect(
            Collectors.toMap(
                Map.Entry::getKey,
                entry -> {
                  OwnerView view = entry.getValue();
                  return new OwnerView(
                      view.owner(),
                      view.namespace(),
                      view.controller(),
                      AnnotationReader.annotationsAt(at, view.annotations()));
                }));
  }
}
