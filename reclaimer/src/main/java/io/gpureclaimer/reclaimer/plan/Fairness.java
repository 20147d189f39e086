package io.gpureclaimer.reclaimer.plan;

import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.GpuShare;
import io.gpureclaimer.reclaimer.cluster.Reclamation;
import io.gpureclaimer.reclaimer.cluster.Reclamation.ReclamationProgress;
import io.gpureclaimer.reclaimer.verdict.Verdict.Due;
import io.gpureclaimer.reclaimer.workload.Workload;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/**
 * How many GPU-hours each namespace and owner gave in the last week, and which namespaces use more
 * than their share. Of workloads with nearly the same expected loss, those of the others are
 * reclaimed first.
 *
 * <p>GPU-hours of an action: its devices, times the hours of the last week from when they were free
 * until they were given back. Those of an eviction count until the pod is created again, or until
 * now.
 *
 * @param isKnown whether records of actions can be read; otherwise each counts as having given
 *     nothing
 * @param namespaces what each gave; one that is missing gave nothing
 * @param owners the same of owners, and of pods without one
 * @param shares of namespaces for which an object says so, one of each resource at most
 * @param most the most that a namespace of the cluster gave
 */
public record Fairness(
    boolean isKnown,
    Map<String, Given> namespaces,
    Map<OwnerName, Given> owners,
    Map<String, List<GpuShare>> shares,
    double most) {
  /** Nothing is known. */
  public static final Fairness UNKNOWN = new Fairness(false, Map.of(), Map.of(), Map.of(), 0);

  /** The time that counts. */
  public static final Duration WINDOW = Reclamation.COUNTS_FOR;

  /** By which part the cost of a workload exceeds its expected loss at most. */
  static final double MARGIN = 0.1;

  private static final double SECONDS_PER_HOUR = 3_600;
  private static final int MOST_NAMED = 3;

  public Fairness {
    namespaces = Map.copyOf(namespaces);
    owners = Map.copyOf(owners);
    shares = Map.copyOf(shares);
  }

  /** What stays the same when an owner, or a pod without one, is created again. */
  public record OwnerName(String namespace, String kind, String name) {

    /** That of a workload. */
    public static OwnerName of(Workload workload) {
      return new OwnerName(workload.namespace(), workload.kind(), workload.name());
    }
  }

  /**
   * What was taken of a namespace or owner.
   *
   * @param gpuHours see {@link Fairness}
   * @param actions how many
   */
  public record Given(double gpuHours, int actions) {
    static final Given NOTHING = new Given(0, 0);

    Given and(Given other) {
      return new Given(gpuHours + other.gpuHours, actions + other.actions);
    }
  }

  /** What the records of a cluster say now. */
  public static Fairness of(ClusterView cluster, Instant now) {
    Map<String, Given> namespaces = new HashMap<>();
    Map<OwnerName, Given> owners = new HashMap<>();
    Instant begin = now.minus(WINDOW);
    for (Reclamation record : cluster.reclamations().orElse(List.of())) {
      if (record.status().isEmpty()) {
        continue;
      }
      ReclamationProgress progress = record.status().get();
      Optional<Instant> end = end(progress, now);
      if (end.isPresent() && begin.isBefore(end.get())) {
        var given = new Given(gpuHours(progress, begin, end.get()), 1);
        var owner =
            new OwnerName(record.namespace(), progress.owner().kind(), progress.owner().name());
        namespaces.merge(record.namespace(), given, Given::and);
        owners.merge(owner, given, Given::and);
      }
    }
    double most = namespaces.values().stream().mapToDouble(Given::gpuHours).max().orElse(0);
    return new Fairness(
        cluster.records().isPresent(), namespaces, owners, cluster.scheduling().shares(), most);
  }

  /** For how long the devices were free within a time that began then. */
  private static double gpuHours(ReclamationProgress progress, Instant begin, Instant end) {
    Optional<Instant> free = free(progress);
    if (free.isEmpty()) {
      return 0;
    }
    Instant from = free.get().isBefore(begin) ? begin : free.get();
    return from.isBefore(end)
        ? progress.devices() * (from.until(end, ChronoUnit.SECONDS) / SECONDS_PER_HOUR)
        : 0;
  }

  /** Since when the devices are free. */
  private static Optional<Instant> free(ReclamationProgress progress) {
    return progress.isEviction() ? progress.times().actedAt() : progress.times().reclaimedAt();
  }

  /** Until when they were; empty if the action was not made. */
  private static Optional<Instant> end(ReclamationProgress progress, Instant now) {
    return switch (progress.state()) {
      case INTENDED, FAILED -> Optional.empty();
      case ACTING, RECLAIMED, EVICTED -> Optional.of(now);
      case RESTORING, RESTORED, SUPERSEDED, CONTESTED ->
          progress.times().restoringAt().or(() -> progress.times().endedAt());
    };
  }

  /** What was taken of a workload, under the names of all its owners. */
  public Given ofOwner(Workload workload) {
    if (owners.isEmpty()) {
      return Given.NOTHING;
    }
    if (workload.owners().isEmpty()) {
      return owners.getOrDefault(OwnerName.of(workload), Given.NOTHING);
    }
    Set<OwnerName> names = new HashSet<>();
    names.add(OwnerName.of(workload));
    workload
        .owners()
        .values()
        .forEach(
            each ->
                names.add(
                    new OwnerName(workload.namespace(), each.owner().kind(), each.owner().name())));
    return names.stream()
        .map(owners::get)
        .filter(Objects::nonNull)
        .reduce(Given.NOTHING, Given::and);
  }

  /** What was taken of a namespace. */
  public Given ofNamespace(String namespace) {
    return namespaces.getOrDefault(namespace, Given.NOTHING);
  }

  /** Those that a namespace exceeds. */
  private List<GpuShare> exceeded(String namespace) {
    return shares.getOrDefault(namespace, List.of()).stream().filter(GpuShare::isOver).toList();
  }

  /** Those of them that count devices of the workload: others say nothing about it. */
  private List<GpuShare> exceededBy(Workload workload) {
    List<GpuShare> exceeded = exceeded(workload.namespace());
    if (exceeded.isEmpty()) {
      return exceeded;
    }
    Set<String> resources =
        workload.pods().stream()
            .flatMap(pod -> pod.accelerators().byResource().keySet().stream())
            .collect(Collectors.toSet());
    return exceeded.stream().filter(share -> resources.stream().anyMatch(share::counts)).toList();
  }

  /**
   * What a workload costs as a victim: its expected loss, and up to a tenth more. A namespace that
   * is not over its share of such devices adds 5 parts of that, an owner that gave already 3, and
   * the GPU-hours of the namespace up to 2. What does not distinguish the candidates adds nothing,
   * and its parts are those of the others.
   *
   * <p>So a set of least cost has at most 1.1 times the least expected loss.
   *
   * @param candidates all victims that there may be
   */
  ToLongFunction<Due> cost(Collection<Due> candidates) {
    List<Due> all = List.copyOf(candidates);
    var spared = new double[all.size()];
    double parts =
        spare(5, all, due -> exceededBy(due.workload()).isEmpty() ? 1 : 0, spared)
            + spare(3, all, due -> ofOwner(due.workload()).actions() == 0 ? 0 : 1, spared)
            + spare(2, all, due -> ofNamespace(due.workload().namespace()).gpuHours(), spared);
    var costs = new IdentityHashMap<Due, Long>(all.size());
    for (int i = 0; i < spared.length; i++) {
      Due due = all.get(i);
      double more = parts == 0 ? 0 : MARGIN * spared[i] / parts;
      costs.put(due, Math.round(ExpectedLoss.of(due) * (1 + more)));
    }
    return due -> {
      Long known = costs.get(due);
      return known != null ? known : ExpectedLoss.of(due);
    };
  }

  /**
   * Adds a reason to spare workloads.
   *
   * @param parts its weight
   * @param reason larger for a workload that is rather spared
   * @param spared of each candidate, the parts of all reasons
   * @return its weight, or 0 if it is the same for all
   */
  private static double spare(
      double parts, List<Due> candidates, ToDoubleFunction<Due> reason, double[] spared) {
    double[] values = candidates.stream().mapToDouble(reason).toArray();
    double least = Arrays.stream(values).min().orElse(0);
    double range = Arrays.stream(values).max().orElse(0) - least;
    if (!(range > 0)) {
      return 0;
    }
    for (int i = 0; i < values.length; i++) {
      spared[i] += parts * (values[i] - least) / range;
    }
    return parts;
  }

  /** The same of some namespaces; the most stays that of all. */
  public Fairness in(Predicate<String> wanted) {
    return new Fairness(
        isKnown,
        namespaces.entrySet().stream()
            .filter(each -> wanted.test(each.getKey()))
            .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)),
        owners.entrySet().stream()
            .filter(each -> wanted.test(each.getKey().namespace()))
            .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)),
        shares.entrySet().stream()
            .filter(each -> wanted.test(each.getKey()))
            .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)),
        most);
  }

  /** About one workload, for people, without the final stop. */
  public String sentence(Workload workload) {
    if (!isKnown) {
      return unknown();
    }
    var parts = new ArrayList<String>();
    parts.add(gave(workload.namespace()));
    Given own = ofOwner(workload);
    parts.add(
        own.actions() == 0
            ? "this workload gave nothing"
            : "this workload gave " + hours(own.gpuHours()) + " of them");
    overShare(workload.namespace(), exceededBy(workload)).ifPresent(parts::add);
    return String.join("; ", parts);
  }

  /** About all namespaces, those that gave most first; empty if none gave anything. */
  public Optional<String> summary() {
    if (!isKnown) {
      return Optional.of(unknown());
    }
    List<String> names =
        namespaces.entrySet().stream()
            .sorted(
                Comparator.comparingDouble(
                        (Map.Entry<String, Given> each) -> each.getValue().gpuHours())
                    .reversed()
                    .thenComparing(Map.Entry::getKey))
            .map(Map.Entry::getKey)
            .toList();
    int more = names.size() - MOST_NAMED;
    var parts =
        names.stream()
            .limit(MOST_NAMED)
            .map(this::gave)
            .collect(Collectors.toCollection(ArrayList::new));
    if (more > 0) {
      parts.add("and " + more + " more");
    }
    shares.keySet().stream()
        .sorted()
        .flatMap(each -> overShare(each, exceeded(each)).stream())
        .forEach(parts::add);
    return parts.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", parts));
  }

  private static String unknown() {
    return "records of actions cannot be read, so each namespace counts as one that gave nothing";
  }

  private String gave(String namespace) {
    Given given = ofNamespace(namespace);
    if (given.actions() == 0) {
      return "namespace " + namespace + " gave nothing in the last week";
    }
    return "namespace "
        + namespace
        + " gave "
        + hours(given.gpuHours())
        + " GPU-hours in the last week"
        + (given.gpuHours() >= most ? ", the most" : "");
  }

  private static Optional<String> overShare(String namespace, List<GpuShare> exceeded) {
    return exceeded.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "namespace "
                + namespace
                + " is over its share ("
                + exceeded.stream().map(GpuShare::toString).collect(Collectors.joining(", "))
                + ")");
  }

  private static String hours(double gpuHours) {
    return String.format(Locale.ROOT, "%.1f", gpuHours);
  }
}
