package io.gpureclaimer.reclaimer.plan;

import io.gpureclaimer.reclaimer.plan.CandidateNodes.PlanSnapshot;
import io.gpureclaimer.reclaimer.plan.Demand.Target;
import io.gpureclaimer.reclaimer.plan.UnitVictims.ServedPod;
import io.gpureclaimer.reclaimer.verdict.Verdict.Due;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Search for the victims of a group of pending pods. Confined to one planning.
 *
 * <p>Members are placed one after the other or in blocks on one node, each time where a GPU costs
 * least. A victim without which all fit is given back, the largest cost first. The best that is
 * found so is improved by searching without its victims, one at a time.
 *
 * <p>Members with rules about other pods are placed again in the end, one after the other, each
 * beside those before: only the first of a block was checked. If they must be near each other, each
 * part of the cluster is searched of its own. Where it takes little time, victims are also given
 * back from all there are: a victim that only rules require is not found otherwise.
 */
final class GroupSearch {
  /** So that the search for a large group ends in time. */
  private static final int MOST_TRIES = 12;

  private static final int MOST_TRIES_IN_ALL = 120;
  static final int MOST_NODES_IN_FULL = 64;
  private static final int MOST_PLACEMENTS = 2_000;
  private static final int MOST_FITS = 5_000;

  /** In addition to as many nodes as a unit has members. */
  static final int SPARE_NODES = 4;

  private final CandidateNodes nodes;
  private final ToLongFunction<Due> cost;
  private final Comparator<Due> largestCostFirst;

  /** Tries left in this planning; the first units are those of the highest priority. */
  private int triesLeft = MOST_TRIES_IN_ALL;

  GroupSearch(CandidateNodes nodes, ToLongFunction<Due> cost) {
    this.nodes = nodes;
    this.cost = cost;
    largestCostFirst =
        Comparator.comparingLong(cost).reversed().thenComparing(due -> due.workload().uid());
  }

  /** The best victims that are found; empty if one of the members could not run. */
  Optional<UnitVictims> best(PendingUnit unit, int most) {
    List<UnitVictims> found = new ArrayList<>();
    for (Map<Target, List<CandidateNode>> shortlist : shortlists(unit, most)) {
      var search = new ShortlistSearch(unit, most, shortlist);
      search.best().ifPresent(found::add);
    }
    return found.stream().min(order(most));
  }

  /**
   * The best victims for as many of these demands, which are alike, as cost least for a device, all
   * on one node; empty if none of them could run.
   */
  Optional<UnitVictims> bestPart(List<Demand> alike, int most) {
    return bestBlock(
            alike,
            new PlacementSearch(Integer.MAX_VALUE, most),
            Map.of(alike.getFirst().target(), nodes.suitable(alike.getFirst().target())))
        .map(MembersOnNode::unitVictims);
  }

  /** As {@link VictimSet#order}, without the surplus. */
  private Comparator<UnitVictims> order(int most) {
    return Comparator.<UnitVictims>comparingInt(
            unit -> VictimSet.excess(unit.victims().size(), most))
        .thenComparingLong(unit -> unit.victims().stream().mapToLong(cost).sum())
        .thenComparingInt(unit -> unit.victims().size());
  }

  /** The nodes of each search, by target. */
  private List<Map<Target, List<CandidateNode>>> shortlists(PendingUnit unit, int most) {
    boolean isRestricted = unit.members().stream().anyMatch(nodes::isRestricted);
    return isRestricted
        ? new PartsShortlists(nodes, unit, most).all()
        : List.of(shortlist(unit, most));
  }

  /**
   * The nodes that are best for any number of members together: so many members use at most so many
   * nodes.
   */
  private Map<Target, List<CandidateNode>> shortlist(PendingUnit unit, int most) {
    Map<Target, List<CandidateNode>> byTarget = new HashMap<>();
    for (Target target : unit.targets()) {
      List<CandidateNode> all = nodes.suitable(target);
      byTarget.put(target, all.size() <= MOST_NODES_IN_FULL ? all : best(all, target, unit, most));
    }
    return byTarget;
  }

  private List<CandidateNode> best(
      List<CandidateNode> all, Target target, PendingUnit unit, int most) {
    int largest = all.stream().mapToInt(CandidateNode::capacity).max().orElse(0);
    int count = unit.members().size() + SPARE_NODES;
    Set<CandidateNode> chosen = new LinkedHashSet<>();
    for (Demand together : unit.together(target, largest)) {
      for (int limit : most == 0 ? List.of(0) : List.of(most, 0)) {
        chosen.addAll(nodes.ranking(together, limit).first(count, together));
      }
    }
    return List.copyOf(chosen);
  }

  /**
   * Search for a placement of the members of a unit.
   *
   * @param longest how many of them are placed on one node at once at most
   * @param most how many victims one placement may have, if that suffices
   */
  private record PlacementSearch(int longest, int most) {
    static List<PlacementSearch> all(int most) {
      return List.of(
          new PlacementSearch(1, most),
          new PlacementSearch(Integer.MAX_VALUE, most),
          new PlacementSearch(1, 0));
    }
  }

  /** Of the first members, as many on one node as costs least for a device. */
  private Optional<MembersOnNode> bestBlock(
      List<Demand> left, PlacementSearch search, Map<Target, List<CandidateNode>> shortlist) {
    List<MembersOnNode> blocks = new ArrayList<>();
    Demand first = left.getFirst();
    Optional<PodCheck> check = nodes.check(first);
    Demand together = first;
    for (int count = 1; count <= left.size() && count <= search.longest(); count++) {
      Demand last = left.get(count - 1);
      if (!last.target().equals(first.target()) || last.priority() != first.priority()) {
        break;
      }
      Demand block = count == 1 ? first : together.and(last);
      Optional<VictimSet> victims =
          shortlist.getOrDefault(first.target(), List.of()).stream()
              .flatMap(node -> node.victims(block, search.most(), check).stream())
              .min(VictimSet.order(search.most()));
      if (victims.isEmpty()) {
        break;
      }
      blocks.add(new MembersOnNode(left.subList(0, count), block.count(), victims.get()));
      together = block;
    }
    return blocks.stream().min(MembersOnNode.order(search.most()));
  }

  /**
   * Members of a unit on one node.
   *
   * @param devices of all of them
   */
  private record MembersOnNode(List<Demand> members, int devices, VictimSet victims) {

    /** Least cost for a device first; of equal ones the largest. */
    static Comparator<MembersOnNode> order(int most) {
      return Comparator.<MembersOnNode>comparingInt(
              block -> VictimSet.excess(block.victims().victims().size(), most))
          .thenComparing(MembersOnNode::compareCost)
          .thenComparing(Comparator.comparingInt(MembersOnNode::devices).reversed())
          .thenComparing(MembersOnNode::victims, VictimSet.order(most));
    }

    private static int compareCost(MembersOnNode one, MembersOnNode other) {
      return Long.compare(
          one.victims().cost() * other.devices(), other.victims().cost() * one.devices());
    }

    UnitVictims unitVictims() {
      return new UnitVictims(
          members.stream().map(member -> new ServedPod(member, victims.node())).toList(),
          victims.victims());
    }
  }

  /** Search on a few nodes. */
  private final class ShortlistSearch {
    private final PendingUnit unit;
    private final int most;
    private final Map<Target, List<CandidateNode>> shortlist;
    private final boolean isRestricted;
    private final PlanSnapshot before;

    ShortlistSearch(PendingUnit unit, int most, Map<Target, List<CandidateNode>> shortlist) {
      this.unit = unit;
      this.most = most;
      this.shortlist = shortlist;
      isRestricted = unit.members().stream().anyMatch(nodes::isRestricted);
      before = nodes.snapshot(isRestricted);
    }

    Optional<UnitVictims> best() {
      Optional<UnitVictims> found = found(Optional.empty());
      Optional<UnitVictims> left =
          found.isEmpty() || (isRestricted && isSmall()) ? whatIsLeft() : Optional.empty();
      Optional<UnitVictims> best =
          Stream.of(found, left, isScarce() ? cheapest() : Optional.<UnitVictims>empty())
              .flatMap(Optional::stream)
              .min(order(most))
              .map(this::improved);
      before.end();
      return best;
    }

    /** The cheapest of all placements, if these are few; each node gives its best victims. */
    private Optional<UnitVictims> cheapest() {
      List<CandidateNode> all = allNodes();
      boolean isPossible =
          !isRestricted
              && Math.pow(all.size(), unit.members().size()) <= MOST_PLACEMENTS
              && unit.members().stream().allMatch(each -> each.priority() == unit.priority());
      if (!isPossible) {
        return Optional.empty();
      }
      before.restore();
      List<UnitVictims> placements = new ArrayList<>();
      place(all, new LinkedHashMap<>(), List.of(), placements);
      return placements.stream()
          .sorted(order(most))
          .filter(found -> fitAgain(found.served(), found.victims()))
          .findFirst()
          .map(this::withoutNeedless);
    }

    /** Adds all placements of the members after those that have a node. */
    private void place(
        List<CandidateNode> all,
        Map<CandidateNode, Demand> blocks,
        List<ServedPod> served,
        List<UnitVictims> into) {
      if (served.size() == unit.members().size()) {
        Map<String, Due> victims = new TreeMap<>();
        blocks.forEach(
            (node, block) ->
                node.victims(block, most)
                    .ifPresent(
                        set ->
                            set.victims().forEach(due -> victims.put(due.workload().uid(), due))));
        into.add(new UnitVictims(served, List.copyOf(victims.values())));
        return;
      }
      Demand member = unit.members().get(served.size());
      for (CandidateNode node : all) {
        Demand before = blocks.get(node);
        Demand block = before == null ? member : before.and(member);
        if (node.suits(member.target()) && node.victims(block, most).isPresent()) {
          blocks.put(node, block);
          place(
              all,
              blocks,
              Stream.concat(served.stream(), Stream.of(new ServedPod(member, node.name())))
                  .toList(),
              into);
          if (before == null) {
            blocks.remove(node);
          } else {
            blocks.put(node, before);
          }
        }
      }
    }

    private List<CandidateNode> allNodes() {
      return unit.targets().stream()
          .flatMap(target -> shortlist.getOrDefault(target, List.of()).stream())
          .distinct()
          .toList();
    }

    /** Whether some nodes have too little of another resource, so that members differ in more. */
    private boolean isScarce() {
      return unit.members().stream().anyMatch(member -> !member.scarce().isEmpty());
    }

    /** Whether it takes little time to try each member on each node without each victim. */
    private boolean isSmall() {
      List<CandidateNode> all = allNodes();
      long victims = all.stream().flatMap(CandidateNode::offered).count();
      return victims * all.size() * unit.members().size() <= MOST_FITS;
    }

    /** The best of several searches, without one of the workloads. */
    private Optional<UnitVictims> found(Optional<Due> spared) {
      List<UnitVictims> found = new ArrayList<>();
      for (PlacementSearch search : PlacementSearch.all(most)) {
        if (!isRestricted || search.most() == most || found.stream().noneMatch(this::isWithin)) {
          before.restore();
          spared.ifPresent(nodes::withdraw);
          allOf(search).flatMap(this::feasible).map(this::withoutNeedless).ifPresent(found::add);
        }
      }
      return found.stream().min(order(most));
    }

    private boolean isWithin(UnitVictims found) {
      return VictimSet.excess(found.victims().size(), most) == 0;
    }

    private Optional<UnitVictims> allOf(PlacementSearch search) {
      List<ServedPod> served = new ArrayList<>();
      List<Due> victims = new ArrayList<>();
      List<Demand> left = unit.members();
      while (!left.isEmpty()) {
        Optional<MembersOnNode> best = bestBlock(left, search, shortlist);
        if (best.isEmpty()) {
          return Optional.empty();
        }
        UnitVictims one = best.get().unitVictims();
        nodes.promise(one);
        served.addAll(one.served());
        victims.addAll(one.victims());
        left = left.subList(best.get().members().size(), left.size());
      }
      return Optional.of(new UnitVictims(served, victims));
    }

    /**
     * Victims of one member may be pods that another one must be near, so all members are placed
     * again without any victim.
     */
    private Optional<UnitVictims> feasible(UnitVictims found) {
      return isRestricted
          ? placed(found.served(), nodesOf(found), found.victims())
              .map(served -> new UnitVictims(served, found.victims()))
          : Optional.of(found);
    }

    /** Searches again without one of the victims each time, the largest cost first. */
    private UnitVictims improved(UnitVictims first) {
      UnitVictims best = first;
      var spared = new HashSet<String>();
      Optional<Due> next = largestCost(best, spared);
      for (int tries = 0; tries < MOST_TRIES && triesLeft > 0 && next.isPresent(); tries++) {
        triesLeft--;
        spared.add(next.get().workload().uid());
        UnitVictims known = best;
        best = found(next).filter(other -> order(most).compare(other, known) < 0).orElse(known);
        next = largestCost(best, spared);
      }
      return best;
    }

    private Optional<Due> largestCost(UnitVictims found, Set<String> spared) {
      return found.victims().stream()
          .filter(due -> !spared.contains(due.workload().uid()))
          .min(largestCostFirst);
    }

    /**
     * Begins with all victims, and gives back those without which all members fit; for a unit that
     * fits only if it is placed as tightly as possible. Not tried in a large cluster, where a unit
     * that was not placed otherwise cannot be.
     */
    private Optional<UnitVictims> whatIsLeft() {
      if (unit.targets().stream()
          .anyMatch(target -> nodes.suitable(target).size() > MOST_NODES_IN_FULL)) {
        return Optional.empty();
      }
      before.restore();
      List<CandidateNode> all = allNodes();
      List<Due> offered =
          all.stream()
              .flatMap(CandidateNode::offered)
              .filter(due -> due.workload().priority() <= unit.priority())
              .collect(
                  Collectors.toMap(
                      due -> due.workload().uid(), due -> due, (one, _) -> one, TreeMap::new))
              .values()
              .stream()
              .toList();
      return whatIsLeft(all, offered)
          .or(
              () -> {
                List<Due> others = offered.stream().filter(due -> !isNeeded(due)).toList();
                return others.size() < offered.size() ? whatIsLeft(all, others) : Optional.empty();
              });
    }

    private Optional<UnitVictims> whatIsLeft(List<CandidateNode> all, List<Due> freed) {
      return fit(all, freed)
          .or(() -> fitTightly(all, freed))
          .map(served -> withoutNeedless(new UnitVictims(served, freed), all));
    }

    /** Whether a member must be near one of its pods, or may have to be. */
    private boolean isNeeded(Due due) {
      before.restore();
      return nodes
          .check(unit.members().getFirst())
          .filter(
              check ->
                  due.workload().pods().stream()
                      .anyMatch(pod -> check.near().contains(pod.ref().uid())))
          .isPresent();
    }

    private List<CandidateNode> nodesOf(UnitVictims found) {
      return found.served().stream()
          .flatMap(each -> nodes.named(each.node(), each.demand().devices().keySet()).stream())
          .distinct()
          .toList();
    }

    /** The same members, on the same nodes, with as few of the victims as possible. */
    private UnitVictims withoutNeedless(UnitVictims found) {
      return withoutNeedless(found, nodesOf(found));
    }

    private UnitVictims withoutNeedless(UnitVictims found, List<CandidateNode> where) {
      UnitVictims smallest = found;
      for (Due each : found.victims().stream().sorted(largestCostFirst).toList()) {
        List<Due> fewer =
            smallest.victims().stream()
                .filter(due -> !due.workload().uid().equals(each.workload().uid()))
                .toList();
        smallest =
            placed(smallest.served(), where, fewer)
                .map(served -> new UnitVictims(served, fewer))
                .orElse(smallest);
      }
      return smallest;
    }

    /** The members where they were, if they still fit there, or else elsewhere. */
    private Optional<List<ServedPod>> placed(
        List<ServedPod> served, List<CandidateNode> where, List<Due> freed) {
      return isRestricted && fitAgain(served, freed) ? Optional.of(served) : fit(where, freed);
    }

    private boolean fitAgain(List<ServedPod> served, List<Due> freed) {
      begin(freed);
      for (ServedPod each : served) {
        Optional<CandidateNode> node =
            nodes
                .named(each.node(), each.demand().devices().keySet())
                .filter(it -> fits(each.demand(), it));
        if (node.isEmpty()) {
          return false;
        }
        nodes.place(each.demand(), node.get());
      }
      return true;
    }

    private void begin(List<Due> freed) {
      before.restore();
      freed.forEach(due -> nodes.free(due.workload()));
    }

    private boolean fits(Demand member, CandidateNode node) {
      return node.hasRoomFor(member)
          && node.suits(member.target())
          && (!isRestricted
              || nodes
                  .check(member)
                  .filter(check -> !check.allows(node.view(), Set.of()))
                  .isEmpty());
    }

    /** Each member on the fullest of the nodes that has enough free devices. */
    private Optional<List<ServedPod>> fit(List<CandidateNode> where, List<Due> freed) {
      begin(freed);
      List<ServedPod> again = new ArrayList<>();
      for (Demand member : unit.members()) {
        Optional<CandidateNode> fullest =
            where.stream()
                .filter(node -> fits(member, node))
                .min(Comparator.comparingInt(CandidateNode::free));
        if (fullest.isEmpty()) {
          return Optional.empty();
        }
        nodes.place(member, fullest.get());
        again.add(new ServedPod(member, fullest.get().name()));
      }
      return Optional.of(again);
    }

    /** The same, with other nodes for members that leave too little for the following ones. */
    private Optional<List<ServedPod>> fitTightly(List<CandidateNode> where, List<Due> freed) {
      begin(freed);
      List<ServedPod> placed = new ArrayList<>();
      return place(where, placed, new AtomicInteger(MOST_PLACEMENTS))
          ? Optional.of(placed)
          : Optional.empty();
    }

    private boolean place(List<CandidateNode> where, List<ServedPod> placed, AtomicInteger left) {
      if (placed.size() == unit.members().size()) {
        return true;
      }
      Demand member = unit.members().get(placed.size());
      for (CandidateNode node : where) {
        if (fits(member, node) && left.getAndDecrement() > 0) {
          nodes.place(member, node);
          placed.add(new ServedPod(member, node.name()));
          if (place(where, placed, left)) {
            return true;
          }
          placed.removeLast();
          nodes.takeBack(member, node);
        }
      }
      return false;
    }
  }
}
