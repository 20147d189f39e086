package io.gpureclaimer.reclaimer.workload;

import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.Owner;
import io.gpureclaimer.reclaimer.cluster.OwnerView;
import io.gpureclaimer.reclaimer.cluster.PodTraits.Group;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.cluster.PodView.PodPhase;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Groups pods into workloads, in an order that depends on nothing but their names and UIDs. */
public final class Workloads {
  private static final String QUEUE = "kueue.x-k8s.io/queue-name";
  private static final String QUEUED_KIND = "Workload.kueue.x-k8s.io";
  private static final String DYNAMO_GRAPH = "DynamoGraphDeployment.nvidia.com";
  private static final String ADAPTER = "DynamoGraphDeploymentScalingAdapter.nvidia.com";

  private static final Comparator<PodView> BY_NAME =
      Comparator.comparing((PodView pod) -> pod.ref().name()).thenComparing(pod -> pod.ref().uid());

  private static final Comparator<Workload> ORDER =
      Comparator.comparing(Workload::namespace)
          .thenComparing(Workload::name)
          .thenComparing(Workload::kind)
          .thenComparing(Workload::uid);

  private Workloads() {}

  /** Every workload that has or wants accelerators. */
  public static List<Workload> of(ClusterView cluster) {
    return together(cluster.pods().stream().filter(Workloads::counts), cluster.owners()).stream()
        .map(pods -> of(pods, cluster.owners()))
        .sorted(ORDER)
        .toList();
  }

  /** The workload of the first of these pods, which are newer than those in the cluster. */
  public static Workload around(List<PodView> fresh, ClusterView cluster) {
    Set<String> uids =
        fresh.stream().map(pod -> pod.ref().uid()).collect(Collectors.toUnmodifiableSet());
    Stream<PodView> others =
        cluster.pods().stream()
            .filter(Workloads::counts)
            .filter(other -> !uids.contains(other.ref().uid()));
    return together(Stream.concat(fresh.stream(), others), cluster.owners()).stream()
        .filter(pods -> pods.contains(fresh.getFirst()))
        .findFirst()
        .map(pods -> of(pods, cluster.owners()))
        .orElseThrow();
  }

  /** A workload of these pods, which belong together. */
  public static Workload of(Collection<PodView> members, Map<String, OwnerView> known) {
    List<PodView> pods = members.stream().sorted(BY_NAME).toList();
    List<OwnerChain> lineages = distinct(pods, known);
    Map<String, OwnerView> owners = new HashMap<>();
    lineages.forEach(
        lineage -> lineage.owners().forEach(view -> owners.put(view.owner().uid(), view)));
    if (owners.values().stream().anyMatch(Workloads::isQueued)) {
      owners.putAll(controlled(QUEUED_KIND, owners, known));
    }
    if (owners.values().stream()
        .anyMatch(view -> view.owner().qualifiedKind().equals(DYNAMO_GRAPH))) {
      owners.putAll(controlled(ADAPTER, owners, known));
    }
    return new Workload(
        pods.getFirst().ref().namespace(),
        commonTop(pods, lineages),
        pods.stream().flatMap(pod -> pod.traits().group().stream()).findFirst(),
        owners,
        lineages.stream().flatMap(lineage -> lineage.unread().stream()).findFirst(),
        pods);
  }

  private static boolean isQueued(OwnerView owner) {
    return owner.details().filter(details -> details.labels().containsKey(QUEUE)).isPresent();
  }

  /** Objects of a kind that these owners control; they own no pods, but pods stop by them. */
  private static Map<String, OwnerView> controlled(
      String kind, Map<String, OwnerView> owners, Map<String, OwnerView> known) {
    return known.values().stream()
        .filter(view -> view.owner().qualifiedKind().equals(kind))
        .filter(view -> view.controller().filter(of -> owners.containsKey(of.uid())).isPresent())
        .collect(Collectors.toUnmodifiableMap(view -> view.owner().uid(), view -> view));
  }

  /** One for each nearest owner, in the order of the pods. */
  private static List<OwnerChain> distinct(List<PodView> pods, Map<String, OwnerView> known) {
    Set<String> nearest = new HashSet<>();
    return pods.stream()
        .filter(pod -> pod.owner().filter(owner -> nearest.add(owner.uid())).isPresent())
        .map(pod -> OwnerChain.of(pod, known))
        .toList();
  }

  /** Pods belong together below the same top owner, in the same group, and by way of others. */
  private static Collection<List<PodView>> together(
      Stream<PodView> all, Map<String, OwnerView> known) {
    List<PodView> pods = all.toList();
    var sets = new DisjointSets();
    Map<String, Optional<Owner>> tops = new HashMap<>();
    for (PodView pod : pods) {
      pod.owner()
          .flatMap(
              nearest -> tops.computeIfAbsent(nearest.uid(), _ -> OwnerChain.of(pod, known).top()))
          .ifPresent(top -> sets.join(pod.ref().uid(), top.uid()));
      pod.traits().group().ifPresent(group -> sets.join(pod.ref().uid(), idOf(group, pod)));
    }
    return pods.stream().collect(Collectors.groupingBy(pod -> sets.root(pod.ref().uid()))).values();
  }

  private static String idOf(Group group, PodView pod) {
    return pod.ref().namespace() + "/" + group.key() + "/" + group.name();
  }

  /** The top owner, if all have the same. A pod may be the top of the others. */
  private static Optional<Owner> commonTop(List<PodView> pods, List<OwnerChain> lineages) {
    List<Owner> tops = lineages.stream().flatMap(lineage -> lineage.top().stream()).toList();
    Set<String> uids = tops.stream().map(Owner::uid).collect(Collectors.toUnmodifiableSet());
    boolean allBelow =
        pods.stream().allMatch(pod -> pod.owner().isPresent() || uids.contains(pod.ref().uid()));
    return tops.stream().findFirst().filter(_ -> uids.size() == 1 && allBelow);
  }

  private static boolean counts(PodView pod) {
    boolean finished = pod.phase() == PodPhase.SUCCEEDED || pod.phase() == PodPhase.FAILED;
    return !finished && (pod.accelerators().mayBeAny() || pod.otherAccelerators());
  }

  /** Puts names together that belong together, directly or by others. Confined to one thread. */
  static final class DisjointSets {
    private final Map<String, String> parents = new HashMap<>();

    void join(String one, String other) {
      parents.put(root(one), root(other));
    }

    /** A name that all names of its set have in common. */
    String root(String name) {
      String root = name;
      while (!parent(root).equals(root)) {
        root = parent(root);
      }
      shorten(name, root);
      return root;
    }

    private String parent(String name) {
      return parents.getOrDefault(name, name);
    }

    /** Later questions about the same name take one step. */
    private void shorten(String name, String root) {
      String each = name;
      while (!each.equals(root)) {
        String next = parent(each);
        parents.put(each, root);
        each = next;
      }
    }
  }
}
