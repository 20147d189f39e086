package io.gpureclaimer.reclaimer.cluster;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * An object that controls pods, or controls what controls them.
 *
 * @param namespace where it lives; empty if in none
 * @param controller what controls it in turn; the top owner of its pods has none
 * @param annotations its annotations, without kubectl's copy of the manifest
 * @param details what an action has to know of it; present only where an action exists for its kind
 */
public record OwnerView(
    Owner owner,
    String namespace,
    Optional<Owner> controller,
    Map<String, String> annotations,
    Optional<OwnerDetails> details) {
  public OwnerView {
    annotations = Map.copyOf(annotations);
  }

  /** An owner of a kind without an action. */
  public OwnerView(
      Owner owner, String namespace, Optional<Owner> controller, Map<String, String> annotations) {
    this(owner, namespace, controller, annotations, Optional.empty());
  }

  /** The owner as an object of the API server. */
  public ObjectRef ref() {
    return new ObjectRef(owner.apiVersion(), owner.kind(), namespace, owner.name(), owner.uid());
  }

  /** The same owner, with other annotations. */
  public OwnerView annotated(Map<String, String> others) {
    return new OwnerView(owner, namespace, controller, others, details);
  }

  /** The same owner, with the autoscalers that scale it; empty if they cannot be read. */
  public OwnerView scaledBy(Optional<List<Autoscaler>> autoscalers) {
    return new OwnerView(
        owner,
        namespace,
        controller,
        annotations,
        details.map(
            known ->
                new OwnerDetails(
                    known.resourceVersion(),
                    known.generation(),
                    known.labels(),
                    known.fields(),
                    known.managers(),
                    autoscalers)));
  }

  /** The same owner, with other values of some fields. */
  public OwnerView with(Map<String, String> others) {
    return new OwnerView(
        owner,
        namespace,
        controller,
        annotations,
        details.map(
            known -> {
              Map<String, String> fields = new HashMap<>(known.fields());
              fields.putAll(others);
              return new OwnerDetails(
                  known.resourceVersion(),
                  known.generation(),
                  known.labels(),
                  fields,
                  known.managers(),
                  known.autoscalers());
            }));
  }

  /**
   * What an action has to know of an owner.
   *
   * @param resourceVersion the version that this was read from
   * @param generation of its specification; absent where the API server counts none
   * @param labels of the owner
   * @param fields value of each watched field that is present, as JSON text, by JSON pointer
   * @param managers field managers of each watched field that has one, by JSON pointer
   * @param autoscalers that scale it; empty while they cannot be read
   */
  public record OwnerDetails(
      String resourceVersion,
      Optional<String> generation,
      Map<String, String> labels,
      Map<String, String> fields,
      Map<String, Set<String>> managers,
      Optional<List<Autoscaler>> autoscalers) {
    public OwnerDetails {
      labels = Map.copyOf(labels);
      fields = Map.copyOf(fields);
      managers = Map.copyOf(managers);
      autoscalers = autoscalers.map(List::copyOf);
    }

    /**
     * Whether the owner was edited between the two: its specification, or everything of it where
     * the API server does not count generations. Status updates are no edits.
     */
    public boolean isEditedSince(OwnerDetails before) {
      return (generation.isPresent() && before.generation.isPresent())
          ? !generation.equals(before.generation)
          : !resourceVersion.equals(before.resourceVersion);
    }

    /** The value of a watched field; empty if it is absent. */
    public Optional<String> field(String path) {
      return Optional.ofNullable(fields.get(path));
    }
  }

  /**
   * An object that scales an owner.
   *
   * @param object a HorizontalPodAutoscaler or a KEDA ScaledObject
   * @param annotations those of a ScaledObject by which people pause it
   */
  public record Autoscaler(ObjectRef object, Map<String, String> annotations) {
    public static final String SCALED_OBJECT = "ScaledObject";

    /** The annotation of a ScaledObject that pauses it at a number of replicas. */
    public static final String PAUSED_REPLICAS = "autoscaling.keda.sh/paused-replicas";

    /** The annotation of a ScaledObject that pauses it at the replicas that it has. */
    public static final String PAUSED = "autoscaling.keda.sh/paused";

    public Autoscaler {
      annotations = Map.copyOf(annotations);
    }
  }
}
