package io.gpureclaimer.reclaimer.workload;

import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.Owner;
import io.gpureclaimer.reclaimer.cluster.OwnerView;
import io.gpureclaimer.reclaimer.cluster.PodTraits.Group;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.cluster.PodView.PodPhase;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Groups pods into workloads, in an order that depends on nothing but their names and UIDs. */
public final class Workloads {
  private static final String QUEUE = "kueue.x-k8s.io/queue-name";
  private static final String QUEUED_KIND = "Workload.kueue.x-k8s.io";
  private static final String DYNAMO_GRAPH = "DynamoGraphDeployment.nvidia.com";
  private static final String ADAPTER = "DynamoGraphDeploymentScalingAdapter.nvidia.com";

  /** By namespace, name, kind and UID. */
  public static final Comparator<Workload> ORDER = Workloads::compare;

  private static final Comparator<PodView> BY_NAME =
      Comparator.comparing((PodView pod) -> pod.ref().name()).thenComparing(pod -> pod.ref().uid());

  private Workloads() {}

  /** Every workload that has or wants accelerators. */
  public static List<Workload> of(ClusterView cluster) {
    return of(cluster, List.of());
  }

  /**
   * The same.
   *
   * @param before those of an earlier view; one of which nothing has changed is not made again
   */
  public static List<Workload> of(ClusterView cluster, List<Workload> before) {
    List<PodView> counting = new ArrayList<>(cluster.pods().size());
    for (PodView pod : cluster.pods()) {
      if (counts(pod)) {
        counting.add(pod);
      }
    }
    Map<String, List<PodView>> groups = together(counting, cluster.owners());
    var controlled = new ControlledOwners(cluster.owners());
    List<Workload> workloads = new ArrayList<>(groups.size());
    // In their order, because a list that is almost sorted is sorted at once.
    for (Workload known : before) {
      List<PodView> pods = groups.remove(known.uid());
      if (pods != null) {
        workloads.add(
            isUnchanged(known, pods, cluster.owners())
                ? known
                : of(pods, cluster.owners(), controlled));
      }
    }
    groups.values().forEach(pods -> workloads.add(of(pods, cluster.owners(), controlled)));
    workloads.sort(ORDER);
    return Collections.unmodifiableList(workloads);
  }

  /**
   * Whether a workload of these pods would be equal: its pods are, and so are all their owners, of
   * which none is missing. What {@link ControlledOwners} add is not compared.
   */
  private static boolean isUnchanged(
      Workload known, List<PodView> pods, Map<String, OwnerView> owners) {
    pods.sort(BY_NAME);
    if (known.isPartial() || known.unread().isPresent() || !known.pods().equals(pods)) {
      return false;
    }
    for (Map.Entry<String, OwnerView> owner : known.owners().entrySet()) {
      if (addsOthers(owner.getValue()) || !owner.getValue().equals(owners.get(owner.getKey()))) {
        return false;
      }
    }
    return true;
  }

  private static boolean addsOthers(OwnerView owner) {
    return isQueued(owner) || isGraph(owner);
  }

  private static boolean isGraph(OwnerView owner) {
    return isOf(owner, DYNAMO_GRAPH);
  }

  private static int compare(Workload one, Workload other) {
    int byNamespace = one.namespace().compareTo(other.namespace());
    int byName = byNamespace != 0 ? byNamespace : one.name().compareTo(other.name());
    int byKind = byName != 0 ? byName : one.kind().compareTo(other.kind());
    return byKind != 0 ? byKind : one.uid().compareTo(other.uid());
  }

  /** The workload of the first of these pods, which are newer than those in the cluster. */
  public static Workload around(List<PodView> fresh, ClusterView cluster) {
    Set<String> uids = new HashSet<>();
    fresh.forEach(pod -> uids.add(pod.ref().uid()));
    List<PodView> all = new ArrayList<>(fresh);
    for (PodView pod : cluster.pods()) {
      if (counts(pod) && !uids.contains(pod.ref().uid())) {
        all.add(pod);
      }
    }
    return of(linked(fresh.getFirst(), all, cluster.owners()), cluster.owners());
  }

  /** The pods that belong together with the first, as {@link #together} has them. */
  private static List<PodView> linked(
      PodView first, List<PodView> all, Map<String, OwnerView> known) {
    List<PodView> members = new ArrayList<>();
    String namespace = first.ref().namespace();
    Set<String> links = new HashSet<>(List.of(first.ref().uid(), topUid(first, known)));
    first.traits().group().ifPresent(group -> links.add(idOf(group, first)));
    boolean isWithin = isWithin(first, known);
    List<PodView> others = all;
    // One pass for most, because only a member that was not linked directly adds a link.
    for (int before = 0; before < links.size(); ) {
      before = links.size();
      List<PodView> rest = new ArrayList<>();
      for (PodView pod : others) {
        if (isWithin && !pod.ref().namespace().equals(namespace)) {
          rest.add(pod);
          continue;
        }
        String top = topUid(pod, known);
        Optional<String> group = pod.traits().group().map(of -> idOf(of, pod));
        if (links.contains(top)
            || links.contains(pod.ref().uid())
            || group.filter(links::contains).isPresent()) {
          members.add(pod);
          isWithin &= isWithin(pod, known);
          links.add(top);
          group.ifPresent(links::add);
          links.add(pod.ref().uid());
        } else {
          rest.add(pod);
        }
      }
      others = rest;
    }
    return members;
  }

  /** Whether the top owner of a pod is of its namespace, so that it owns no pods of others. */
  private static boolean isWithin(PodView pod, Map<String, OwnerView> known) {
    Optional<Owner> top = OwnerChain.topOf(pod, known);
    return top.isEmpty()
        || Optional.ofNullable(known.get(top.get().uid()))
            .filter(view -> view.namespace().equals(pod.ref().namespace()))
            .isPresent();
  }

  /** A workload of these pods, which belong together. */
  public static Workload of(Collection<PodView> members, Map<String, OwnerView> known) {
    return of(members, known, new ControlledOwners(known));
  }

  private static Workload of(
      Collection<PodView> members, Map<String, OwnerView> known, ControlledOwners controlled) {
    List<PodView> pods = new ArrayList<>(members);
    pods.sort(BY_NAME);
    List<OwnerChain> lineages = distinct(pods, known);
    Map<String, OwnerView> owners = new HashMap<>();
    boolean isQueued = false;
    boolean isGraph = false;
    for (OwnerChain lineage : lineages) {
      for (OwnerView view : lineage.owners()) {
        owners.put(view.owner().uid(), view);
        isQueued |= isQueued(view);
        isGraph |= isGraph(view);
      }
    }
    if (isQueued || isGraph) {
      for (String uid : List.copyOf(owners.keySet())) {
        for (OwnerView other : controlled.by(uid)) {
          if ((isQueued && isOf(other, QUEUED_KIND)) || (isGraph && isOf(other, ADAPTER))) {
            owners.put(other.owner().uid(), other);
          }
        }
      }
    }
    return new Workload(
        pods.getFirst().ref().namespace(),
        commonTop(pods, lineages),
        first(pods, pod -> pod.traits().group()),
        owners,
        first(lineages, OwnerChain::unread),
        pods);
  }

  private static <T, R> Optional<R> first(List<T> some, Function<T, Optional<R>> of) {
    for (T each : some) {
      Optional<R> found = of.apply(each);
      if (found.isPresent()) {
        return found;
      }
    }
    return Optional.empty();
  }

  private static boolean isQueued(OwnerView owner) {
    return owner.details().filter(details -> details.labels().containsKey(QUEUE)).isPresent();
  }

  /**
   * Objects that own no pods but by which pods stop, by the UID of the owner that controls them.
   * Most clusters have none, and few workloads ask for them. Confined to one thread.
   */
  private static final class ControlledOwners {
    private final Map<String, OwnerView> known;
    private Optional<Map<String, List<OwnerView>>> byController = Optional.empty();

    ControlledOwners(Map<String, OwnerView> known) {
      this.known = known;
    }

    List<OwnerView> by(String uid) {
      if (byController.isEmpty()) {
        byController = Optional.of(found());
      }
      return byController.get().getOrDefault(uid, List.of());
    }

    private Map<String, List<OwnerView>> found() {
      Map<String, List<OwnerView>> controlled = new HashMap<>();
      for (OwnerView view : known.values()) {
        if (isOf(view, QUEUED_KIND) || isOf(view, ADAPTER)) {
          view.controller()
              .ifPresent(
                  of -> controlled.computeIfAbsent(of.uid(), _ -> new ArrayList<>(1)).add(view));
        }
      }
      return controlled;
    }
  }

  private static boolean isOf(OwnerView view, String kind) {
    return kind.startsWith(view.owner().kind()) && view.owner().qualifiedKind().equals(kind);
  }

  /** One for each nearest owner, in the order of the pods. */
  private static List<OwnerChain> distinct(List<PodView> pods, Map<String, OwnerView> known) {
    Set<String> nearest = new HashSet<>();
    List<OwnerChain> lineages = new ArrayList<>();
    for (PodView pod : pods) {
      if (pod.owner().isPresent() && nearest.add(pod.owner().get().uid())) {
        lineages.add(OwnerChain.of(pod, known));
      }
    }
    return lineages;
  }

  /** Pods belong together below the same top owner, in the same group, and by way of others. */
  private static Map<String, List<PodView>> together(
      List<PodView> pods, Map<String, OwnerView> known) {
    Map<String, List<PodView>> byTop = HashMap.newHashMap(pods.size());
    var sets = new DisjointSets();
    for (PodView pod : pods) {
      String top = topUid(pod, known);
      byTop.computeIfAbsent(top, _ -> new ArrayList<>(1)).add(pod);
      pod.traits().group().ifPresent(group -> sets.join(top, idOf(group, pod)));
    }
    for (PodView pod : pods) {
      // A pod may be the top of others, and have an owner itself.
      if (pod.owner().isPresent() && byTop.containsKey(pod.ref().uid())) {
        sets.join(pod.ref().uid(), topUid(pod, known));
      }
    }
    if (sets.isEmpty()) {
      return byTop;
    }
    Map<String, List<PodView>> bySet = HashMap.newHashMap(byTop.size());
    byTop.forEach(
        (top, below) ->
            bySet.computeIfAbsent(sets.root(top), _ -> new ArrayList<>()).addAll(below));
    return bySet;
  }

  /** The UID of the top owner, or of a pod without an owner. */
  private static String topUid(PodView pod, Map<String, OwnerView> known) {
    return OwnerChain.topOf(pod, known).map(Owner::uid).orElse(pod.ref().uid());
  }

  private static String idOf(Group group, PodView pod) {
    return pod.ref().namespace() + "/" + group.key() + "/" + group.name();
  }

  /** The top owner, if all have the same. A pod may be the top of the others. */
  private static Optional<Owner> commonTop(List<PodView> pods, List<OwnerChain> lineages) {
    Optional<Owner> first = first(lineages, OwnerChain::top);
    if (first.isEmpty()) {
      return first;
    }
    String uid = first.get().uid();
    for (OwnerChain lineage : lineages) {
      if (lineage.top().filter(top -> !top.uid().equals(uid)).isPresent()) {
        return Optional.empty();
      }
    }
    for (PodView pod : pods) {
      if (pod.owner().isEmpty() && !pod.ref().uid().equals(uid)) {
        return Optional.empty();
      }
    }
    return first;
  }

  private static boolean counts(PodView pod) {
    boolean finished = pod.phase() == PodPhase.SUCCEEDED || pod.phase() == PodPhase.FAILED;
    return !finished && (pod.accelerators().mayBeAny() || pod.otherAccelerators());
  }

  /** Puts names together that belong together, directly or by others. Confined to one thread. */
  static final class DisjointSets {
    private final Map<String, String> parents = new HashMap<>();

    boolean isEmpty() {
      return parents.isEmpty();
    }

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
