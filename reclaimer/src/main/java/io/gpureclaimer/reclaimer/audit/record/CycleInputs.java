package io.gpureclaimer.reclaimer.audit.record;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.reclaimer.audit.record.VerdictInputs.JudgmentTerms;
import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.ClusterView.NamespaceView;
import io.gpureclaimer.reclaimer.cluster.OwnerView;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.cluster.Reclamation;
import io.gpureclaimer.reclaimer.cluster.Reclamations;
import io.gpureclaimer.reclaimer.evidence.DeviceActivity;
import io.gpureclaimer.reclaimer.evidence.Observation;
import io.gpureclaimer.reclaimer.evidence.PodActivity;
import io.gpureclaimer.reclaimer.verdict.ReadAnnotations;
import io.gpureclaimer.reclaimer.workload.Workload;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Inputs of a cycle, from which the inputs of each verdict are taken. */
public final class CycleInputs {
  private final Instant now;
  private final JudgmentTerms terms;
  private final Observation observation;
  private final ClusterView cluster;
  private final Map<GpuUuid, List<PodActivity>> sharers;
  private final Set<String> sharing;

  public CycleInputs(
      Instant now, JudgmentTerms terms, Observation observation, ClusterView cluster) {
    this.now = now;
    this.terms = terms;
    this.observation = observation;
    this.cluster = cluster;
    this.sharing = PodView.sharing(cluster.pods());
    this.sharers =
        switch (observation) {
          case Observation.Blind _ -> Map.of();
          case Observation.Seen seen -> sharers(seen);
        };
  }

  /** What a verdict on the workload is made of. */
  public VerdictInputs about(Workload workload) {
    Map<String, OwnerView> owners = owners(workload);
    var excerpt =
        new ClusterView(
            workload.allPods().stream().map(CycleInputs::withReadAnnotations).toList(),
            namespace(workload.namespace()),
            List.of(),
            owners,
            judged(owners));
    return new VerdictInputs(now, terms, observationOf(workload), excerpt);
  }

  /** The records by which a limit is longer, or another action refused; no others are judged. */
  private Optional<Reclamations> judged(Map<String, OwnerView> owners) {
    return cluster
        .records()
        .map(
            records ->
                records.of(owners.keySet()).stream()
                    .filter(record -> record.restoredAt().isPresent() || record.hasScaledDown())
                    .filter(
                        record -> owners.containsKey(record.status().orElseThrow().owner().uid()))
                    .sorted(Comparator.comparing(Reclamation::name))
                    .toList())
        .filter(records -> !records.isEmpty())
        .map(Reclamations::new);
  }

  private Observation observationOf(Workload workload) {
    return switch (observation) {
      case Observation.Blind blind -> blind;
      case Observation.Seen seen ->
          new Observation.Seen(
              seen.at(),
              workload.allPods().stream()
                  .flatMap(pod -> seen.pod(pod.ref().uid()).stream())
                  .flatMap(pod -> Stream.concat(Stream.of(pod), sharersWith(pod)))
                  .distinct()
                  .collect(Collectors.toMap(PodActivity::uid, pod -> pod)),
              List.of());
    };
  }

  /** Those that a pod with a replica shares its device with as intended mean nothing. */
  private Stream<PodActivity> sharersWith(PodActivity pod) {
    boolean shares = sharing.contains(pod.uid());
    return pod.devices().stream()
        .flatMap(device -> sharers.getOrDefault(device.device().gpu(), List.of()).stream())
        .filter(
            other ->
                !(shares
                    && sharing.contains(other.uid())
                    && other.entities().equals(pod.entities())));
  }

  private static Map<GpuUuid, List<PodActivity>> sharers(Observation.Seen seen) {
    var holders = new HashMap<GpuUuid, List<PodActivity>>();
    for (PodActivity pod : seen.pods().values()) {
      for (DeviceActivity device : pod.devices()) {
        holders.merge(device.device().gpu(), List.of(pod), CycleInputs::both);
      }
    }
    holders.values().removeIf(pods -> pods.size() == 1);
    return holders;
  }

  private static List<PodActivity> both(List<PodActivity> some, List<PodActivity> others) {
    return Stream.concat(some.stream(), others.stream()).distinct().toList();
  }

  private Map<String, NamespaceView> namespace(String name) {
    return Optional.ofNullable(cluster.namespaces().get(name))
        .map(view -> new NamespaceView(view.name(), ReadAnnotations.in(view.annotations())))
        .map(view -> Map.of(name, view))
        .orElse(Map.of());
  }

  /** All the way up, as far as it is known. */
  private Map<String, OwnerView> owners(Workload workload) {
    var found = new HashMap<String, OwnerView>();
    for (PodView pod : workload.allPods()) {
      var next = pod.owner();
      while (next.isPresent() && !found.containsKey(next.get().uid())) {
        Optional<OwnerView> view = Optional.ofNullable(cluster.owners().get(next.get().uid()));
        view.ifPresent(known -> found.put(known.owner().uid(), withReadAnnotations(known)));
        next = view.flatMap(OwnerView::controller);
      }
    }
    return found;
  }

  private static OwnerView withReadAnnotations(OwnerView owner) {
    return owner.annotated(ReadAnnotations.in(owner.annotations()));
  }

  private static PodView withReadAnnotations(PodView pod) {
    return pod.annotated(ReadAnnotations.in(pod.annotations()));
  }
}
