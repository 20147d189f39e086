package io.gpureclaimer.reclaimer.plan;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Pods with devices of one kind in classes: those of a class request the same number of devices, by
 * the same name, and the same amounts of all other resources.
 */
final class PodClasses {
  private final SortedMap<Integer, Integer> pods = new TreeMap<>();

  /** By the name of the devices. */
  private final Map<String, NamedClasses> byName = new HashMap<>();

  private final int all;

  /**
   * Pods that request the devices by the same name.
   *
   * @param byDevices by number of devices
   * @param usual the class of most of these
   */
  private record NamedClasses(Map<Integer, ClassTree> byDevices, Map<Integer, PodClass> usual) {
    NamedClasses() {
      this(new HashMap<>(), new HashMap<>());
    }
  }

  /** So many pods that request this in addition to devices. */
  private record PodClass(Map<String, Long> requests, int pods) {}

  /**
   * What a pod requests.
   *
   * @param name of the devices: nodes may offer MIG devices as GPUs
   * @param devices how many
   * @param requests in addition
   */
  record PodShape(String name, int devices, Map<String, Long> requests) {}

  PodClasses(Collection<PodShape> pods) {
    Map<String, Map<Integer, Map<Map<String, Long>, Integer>>> counts = new HashMap<>();
    for (PodShape pod : pods) {
      counts
          .computeIfAbsent(pod.name(), _ -> new HashMap<>())
          .computeIfAbsent(pod.devices(), _ -> new HashMap<>())
          .merge(pod.requests(), 1, Integer::sum);
    }
    counts.forEach(
        (name, byDevices) -> byDevices.forEach((devices, each) -> add(name, devices, each)));
    all = pods.size();
  }

  private void add(String name, int devices, Map<Map<String, Long>, Integer> counts) {
    List<PodClass> classes = new ArrayList<>(counts.size());
    counts.forEach((requests, count) -> classes.add(new PodClass(requests, count)));
    ClassTree tree = ClassTree.of(classes);
    NamedClasses named = byName.computeIfAbsent(name, _ -> new NamedClasses());
    named.byDevices().put(devices, tree);
    pods.merge(devices, tree.pods(), Integer::sum);
    classes.stream()
        .max(
            Comparator.comparingInt(PodClass::pods)
                .thenComparing(each -> new TreeMap<>(each.requests()).toString()))
        .ifPresent(most -> named.usual().put(devices, most));
  }

  /** How many pods there are, by number of devices. */
  SortedMap<Integer, Integer> pods() {
    return pods;
  }

  /** How many pods of a number of devices fit on a node, if they request what most of them do. */
  int fitting(int devices, NodeRoom node) {
    int most = 0;
    for (String name : node.names()) {
      NamedClasses named = byName.get(name);
      PodClass usual = named == null ? null : named.usual().get(devices);
      if (usual != null) {
        most = Math.max(most, node.count(devices, usual.requests()));
      }
    }
    return most;
  }

  /** How many of the pods with a number of devices do not fit on a node. */
  int misfits(int devices, NodeRoom node) {
    int misfits = pods.getOrDefault(devices, 0);
    if (node.free() < devices) {
      return misfits;
    }
    for (String name : node.names()) {
      NamedClasses named = byName.get(name);
      ClassTree tree = named == null ? null : named.byDevices().get(devices);
      if (tree != null) {
        misfits -= tree.pods() - tree.misfits(node);
      }
    }
    return misfits;
  }

  /** How many free devices of a node are fragmented: the mean over all pods. */
  double fragmented(NodeRoom node) {
    if (node.free() <= 0 || all == 0) {
      return 0;
    }
    double misfits = 0;
    for (int devices : pods.keySet()) {
      misfits += misfits(devices, node);
    }
    return misfits / all * node.free();
  }

  /**
   * Classes of one number of devices, halved until each is alone, so that a node is compared with
   * few.
   *
   * @param most the largest request of each resource
   * @param least the smallest; without resources that some class does not request
   * @param halves empty for a single class
   */
  private record ClassTree(
      Map<String, Long> most, Map<String, Long> least, int pods, List<ClassTree> halves) {
    ClassTree {
      most = Map.copyOf(most);
      least = Map.copyOf(least);
    }

    static ClassTree of(List<PodClass> classes) {
      Map<String, Long> most = new HashMap<>();
      Map<String, Long> least = new HashMap<>(classes.getFirst().requests());
      int pods = 0;
      for (PodClass each : classes) {
        each.requests().forEach((name, amount) -> most.merge(name, amount, Long::max));
        least.keySet().retainAll(each.requests().keySet());
        least.replaceAll(
            (name, amount) -> Math.min(amount, each.requests().getOrDefault(name, amount)));
        pods += each.pods();
      }
      return new ClassTree(
          most, least, pods, classes.size() == 1 ? List.of() : halves(classes, most, least));
    }

    /** By the resource of which the largest request is most times the smallest. */
    private static List<ClassTree> halves(
        List<PodClass> classes, Map<String, Long> most, Map<String, Long> least) {
      String widest = "";
      double times = 0;
      for (Map.Entry<String, Long> each : most.entrySet()) {
        double ratio = each.getValue() / (double) least.getOrDefault(each.getKey(), 1L);
        if (ratio > times) {
          widest = each.getKey();
          times = ratio;
        }
      }
      String resource = widest;
      List<PodClass> sorted = new ArrayList<>(classes);
      sorted.sort(Comparator.comparingLong(each -> each.requests().getOrDefault(resource, 0L)));
      int middle = sorted.size() / 2;
      return List.of(of(sorted.subList(0, middle)), of(sorted.subList(middle, sorted.size())));
    }

    int misfits(NodeRoom node) {
      if (node.others().cover(most)) {
        return 0;
      }
      if (halves.isEmpty() || !node.others().cover(least)) {
        return pods;
      }
      int misfits = 0;
      for (ClassTree half : halves) {
        misfits += half.misfits(node);
      }
      return misfits;
    }
  }
}
