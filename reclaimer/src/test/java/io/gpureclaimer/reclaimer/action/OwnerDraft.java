package io.gpureclaimer.reclaimer.action;

import static io.gpureclaimer.reclaimer.policy.PodDraft.pod;

import io.gpureclaimer.reclaimer.cluster.Owner;
import io.gpureclaimer.reclaimer.cluster.OwnerView;
import io.gpureclaimer.reclaimer.cluster.OwnerView.OwnerDetails;
import io.gpureclaimer.reclaimer.cluster.PodTraits;
import io.gpureclaimer.reclaimer.workload.Workload;
import io.gpureclaimer.reclaimer.workload.Workloads;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A workload of one pod below owners in the making. */
public final class OwnerDraft {
  private final List<Owner> chain = new ArrayList<>();
  private final Map<String, String> fields = new HashMap<>();
  private static final Map<String, String> COMPONENT = Map.of("nvidia.com/dynamo-component", "x");

  private final Map<String, String> labels = new HashMap<>(COMPONENT);
  private Optional<Owner> queued = Optional.empty();

  private static final PodTraits TRAITS =
      new PodTraits(COMPONENT, false, List.of(), Optional.empty());

  private OwnerDraft() {}

  /**
   * Owners of one pod.
   *
   * @param kinds version and kind of each, such as {@code apps/v1 Deployment}, the top last
   */
  public static OwnerDraft of(String... kinds) {
    var draft = new OwnerDraft();
    for (String kind : kinds) {
      int space = kind.indexOf(' ');
      String name = kind.substring(space + 1);
      draft.chain.add(new Owner(kind.substring(0, space), name, "x", "uid-of-" + name));
    }
    return draft;
  }

  /** A field of every owner. */
  public OwnerDraft with(String path, String value) {
    fields.put(path, value);
    return this;
  }

  public OwnerDraft with(Map<String, String> values) {
    fields.putAll(values);
    return this;
  }

  /** The owner of the pod is in a queue of Kueue, which keeps a Workload for it. */
  public OwnerDraft queuedByKueue() {
    labels.put("kueue.x-k8s.io/queue-name", "team-a");
    queued = Optional.of(new Owner("kueue.x-k8s.io/v1beta2", "Workload", "job-x", "uid-of-queued"));
    return this;
  }

  /** The workload with all that is known of its owners. */
  public Workload draw() {
    var details =
        new OwnerDetails("7", Optional.empty(), labels, fields, Map.of(), Optional.of(List.of()));
    Map<String, OwnerView> known = new HashMap<>();
    for (int i = 0; i < chain.size(); i++) {
      Optional<Owner> above =
          i + 1 < chain.size() ? Optional.of(chain.get(i + 1)) : Optional.empty();
      known.put(
          chain.get(i).uid(),
          new OwnerView(chain.get(i), "ml", above, Map.of(), Optional.of(details)));
    }
    queued.ifPresent(
        owner ->
            known.put(
                owner.uid(),
                new OwnerView(
                    owner, "ml", Optional.of(chain.getFirst()), Map.of(), Optional.of(details))));
    return Workloads.of(List.of(pod("x-0").owner(chain.getFirst()).traits(TRAITS).draw()), known);
  }
}
