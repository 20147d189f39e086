package io.gpureclaimer.reclaimer.cluster;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The cluster at one moment, as far as GPUs are concerned.
 *
 * @param pods every pod with GPUs or MIG slices, requested or claimed; terminating ones are among
 *     them, finished ones are not
 * @param nodes every node that offers whole GPUs
 * @param owners by UID, those above the pods and those with a record of an action that is not
 *     finished; an owner that is missing here could not be read
 * @param records of actions; empty while they cannot be read, and then no owner may be acted on
 * @param scheduling what other components say about pending pods
 */
public record ClusterView(
    List<PodView> pods,
    Map<String, NamespaceView> namespaces,
    List<NodeView> nodes,
    Map<String, OwnerView> owners,
    Optional<Reclamations> records,
    SchedulingFacts scheduling) {
  public ClusterView {
    pods = List.copyOf(pods);
    namespaces = Map.copyOf(namespaces);
    nodes = List.copyOf(nodes);
    owners = SharedMap.copyOf(owners);
  }

  /** Without other components. */
  public ClusterView(
      List<PodView> pods,
      Map<String, NamespaceView> namespaces,
      List<NodeView> nodes,
      Map<String, OwnerView> owners,
      Optional<Reclamations> records) {
    this(pods, namespaces, nodes, owners, records, SchedulingFacts.NONE);
  }

  /** Without records of actions, which cannot be read. */
  public ClusterView(
      List<PodView> pods,
      Map<String, NamespaceView> namespaces,
      List<NodeView> nodes,
      Map<String, OwnerView> owners) {
    this(pods, namespaces, nodes, owners, Optional.empty());
  }

  /** The same with the records of some namespaces alone. */
  public ClusterView withRecordsOf(Predicate<String> wanted) {
    return new ClusterView(
        pods,
        namespaces,
        nodes,
        owners,
        reclamations()
            .map(
                all ->
                    new Reclamations(
                        all.stream().filter(record -> wanted.test(record.namespace())).toList())),
        scheduling);
  }

  /** All records of actions; empty while they cannot be read. */
  public Optional<List<Reclamation>> reclamations() {
    return records.map(Reclamations::all);
  }

  /**
   * A namespace, its annotations and its team.
   *
   * @param annotations its annotations, without kubectl's copy of the manifest
   * @param team value of its team label; absent if it has none
   */
  public record NamespaceView(String name, Map<String, String> annotations, Optional<String> team) {
    public NamespaceView {
      annotations = Map.copyOf(annotations);
    }

    /** A namespace without a team. */
    public NamespaceView(String name, Map<String, String> annotations) {
      this(name, annotations, Optional.empty());
    }
  }
}
