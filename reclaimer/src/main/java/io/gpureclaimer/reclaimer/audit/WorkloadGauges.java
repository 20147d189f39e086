package io.gpureclaimer.reclaimer.audit;

import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.cluster.Reclamation;
import io.gpureclaimer.reclaimer.cluster.Reclamation.ReclamationProgress;
import io.gpureclaimer.reclaimer.plan.Demand;
import io.gpureclaimer.reclaimer.plan.Planner.Plan;
import io.gpureclaimer.reclaimer.plan.Step;
import io.gpureclaimer.reclaimer.verdict.Judge.Judgment;
import io.gpureclaimer.reclaimer.verdict.Verdict;
import io.gpureclaimer.reclaimer.verdict.VerdictCode;
import io.gpureclaimer.reclaimer.verdict.Warning;
import io.gpureclaimer.reclaimer.workload.Workload;
import io.prometheus.client.Collector.MetricFamilySamples;
import io.prometheus.client.GaugeMetricFamily;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Gauges about single workloads: pending pods, warnings in force, and actions. A series ends with
 * what it reports. Of each kind at most {@link #MOST} are served, and the rest is counted. Confined
 * to the thread of the cycle.
 */
final class WorkloadGauges {
  /** Most pending pods, warnings and actions that are served, each. */
  static final int MOST = 500;

  private static final double MILLIS_PER_SECOND = 1_000.0;

  private final TeamLabel team;

  /**
   * Teams of workloads that an action was planned on, by UID: an evicted pod has no labels left.
   */
  private final Map<String, String> teams = new HashMap<>();

  WorkloadGauges(TeamLabel team) {
    this.team = team;
  }

  /**
   * An action on a workload and the state it has reached; its labels are the values of a series.
   */
  private record ActionTaken(List<String> labels, Instant at) {

    static Optional<ActionTaken> recorded(
        Reclamation record, ReclamationProgress progress, String team) {
      return progress
          .stateReachedAt()
          .map(
              at ->
                  new ActionTaken(
                      labels(
                          record.namespace(),
                          progress.owner().kind(),
                          progress.owner().name(),
                          progress.action(),
                          progress.state().text(),
                          progress.pendingPod(),
                          team),
                      at));
    }

    private static List<String> labels(
        String namespace,
        String kind,
        String name,
        String action,
        String state,
        Optional<String> pendingPod,
        String team) {
      return List.of(namespace, kind, name, action, state, pendingPod.orElse(""), team);
    }
  }

  /** What a cycle found. */
  List<MetricFamilySamples> of(CycleReport report) {
    var dropped =
        new GaugeMetricFamily(
            "gpu_reclaimer_dropped_series",
            "Pending pods, warnings and actions without a series of their own, because there are"
                + " more than "
                + MOST
                + ".",
            List.of("of"));
    var families = new ArrayList<MetricFamilySamples>();
    families.addAll(pending(report, dropped));
    families.addAll(warnings(report, dropped));
    families.addAll(actions(report, dropped));
    families.add(dropped);
    return families;
  }

  private List<MetricFamilySamples> pending(CycleReport report, GaugeMetricFamily dropped) {
    List<String> labels = List.of("namespace", "pod", "only_gpus_missing", "team");
    var since =
        new GaugeMetricFamily(
            "gpu_reclaimer_pending_since_timestamp_seconds",
            "Unix time at which the scheduler first found no node for a pending pod that requests"
                + " GPUs; only_gpus_missing is true where an action can help it.",
            labels);
    var devices =
        new GaugeMetricFamily(
            "gpu_reclaimer_pending_devices",
            "GPUs and MIG instances that a pending pod requests.",
            labels);
    List<PodView> pods =
        report.cluster().pods().stream()
            .filter(pod -> pod.awaitsGpus() && !pod.terminating() && pod.waiting().isPresent())
            .sorted(Comparator.comparing(pod -> pod.waiting().orElseThrow().since()))
            .toList();
    for (PodView pod : served(pods, "pending pods", dropped)) {
      List<String> values =
          List.of(
              pod.ref().namespace(),
              pod.ref().name(),
              Boolean.toString(Demand.of(pod).isPresent()),
              team.ofPod(pod, report.cluster()));
      since.addMetric(values, seconds(pod.waiting().orElseThrow().since()));
      // A claim that cannot be read may be of any number of devices.
      if (pod.accelerators().devices() > 0) {
        devices.addMetric(values, pod.accelerators().devices());
      }
    }
    return List.of(since, devices, byRequest(pods));
  }

  private static GaugeMetricFamily byRequest(List<PodView> pods) {
    var requests =
        new GaugeMetricFamily(
            "gpu_reclaimer_pending_pods",
            "Pending pods that request devices, by resource and number; resource is claims where"
                + " they request them by resource claims alone.",
            List.of("resource", "devices", "only_gpus_missing"));
    pods.stream()
        .flatMap(WorkloadGauges::requests)
        .collect(
            Collectors.groupingBy(
                labels -> labels,
                () -> new TreeMap<>(Comparator.comparing(List::toString)),
                Collectors.counting()))
        .forEach(requests::addMetric);
    return requests;
  }

  static String withoutSelectors(String resource) {
    return resource.split(" ", 2)[0];
  }

  private static Stream<List<String>> requests(PodView pod) {
    String helps = Boolean.toString(Demand.of(pod).isPresent());
    Map<String, Integer> requested = pod.accelerators().byResource();
    return requested.isEmpty()
        ? Stream.of(List.of("claims", "unknown", helps))
        : requested.entrySet().stream()
            .map(
                each ->
                    List.of(withoutSelectors(each.getKey()), each.getValue().toString(), helps));
  }

  /**
   * A warning in force.
   *
   * @param notBefore when the action that it announces may be made; absent where none follows
   */
  private record WarningInForce(Verdict verdict, Instant warnedAt, Optional<Instant> notBefore) {

    static Optional<WarningInForce> of(Verdict verdict, Instant now) {
      return switch (verdict) {
        case Verdict.Warned warned ->
            Optional.of(
                new WarningInForce(
                    warned, warned.warnedAt(), Optional.of(now.plus(warned.remaining()))));
        case Verdict.Notified notified ->
            Optional.of(new WarningInForce(notified, notified.warnedAt(), Optional.empty()));
        case Verdict.Due due ->
            Optional.of(new WarningInForce(due, due.warnedAt(), Warning.actNotBefore(due)));
        case Verdict.Protected _,
            Verdict.NotRunning _,
            Verdict.Starting _,
            Verdict.Vetoed _,
            Verdict.Active _,
            Verdict.Unknown _,
            Verdict.Watching _,
            Verdict.Reported _,
            Verdict.ToWarn _,
            Verdict.ToWithdraw _ ->
            Optional.empty();
      };
    }
  }

  private List<MetricFamilySamples> warnings(CycleReport report, GaugeMetricFamily dropped) {
    List<String> labels = List.of("namespace", "kind", "name", "verdict", "team");
    var warned =
        new GaugeMetricFamily(
            "gpu_reclaimer_warned_timestamp_seconds",
            "Unix time of the warning in force on a workload.",
            labels);
    var notBefore =
        new GaugeMetricFamily(
            "gpu_reclaimer_action_not_before_timestamp_seconds",
            "Unix time of the earliest action on a warned workload; absent if the "
                + "warning announces no action.",
            labels);
    var devices =
        new GaugeMetricFamily(
            "gpu_reclaimer_warned_devices",
            "GPUs and MIG instances allocated to a warned workload.",
            labels);
    var unique = new LinkedHashMap<List<String>, WarningInForce>();
    report.judgments().stream()
        .map(Judgment::verdict)
        .flatMap(verdict -> WarningInForce.of(verdict, report.at()).stream())
        .sorted(Comparator.comparing(WarningInForce::warnedAt))
        .forEach(
            warning -> unique.putIfAbsent(labelsOf(warning.verdict(), report.cluster()), warning));
    for (Map.Entry<List<String>, WarningInForce> entry :
        served(List.copyOf(unique.entrySet()), "warnings", dropped)) {
      List<String> values = entry.getKey();
      WarningInForce warning = entry.getValue();
      warned.addMetric(values, seconds(warning.warnedAt()));
      warning.notBefore().ifPresent(at -> notBefore.addMetric(values, seconds(at)));
      devices.addMetric(values, warning.verdict().workload().devicesHeld());
    }
    return List.of(warned, notBefore, devices);
  }

  private List<String> labelsOf(Verdict verdict, ClusterView cluster) {
    Workload workload = verdict.workload();
    return List.of(
        workload.namespace(),
        workload.kind(),
        workload.name(),
        VerdictCode.of(verdict).verdict(),
        team.ofWorkload(workload, cluster));
  }

  /** Of several actions of the same labels, such as two restores of one owner, the last. */
  private List<MetricFamilySamples> actions(CycleReport report, GaugeMetricFamily dropped) {
    var family =
        new GaugeMetricFamily(
            "gpu_reclaimer_action_timestamp_seconds",
            "Unix time at which an action on a workload reached its state. state is that of"
                + " its Reclamation."
                + " pending_pod is the pod for which the GPUs were freed.",
            List.of("namespace", "kind", "name", "action", "state", "pending_pod", "team"));
    remember(report);
    var unique = new LinkedHashMap<List<String>, ActionTaken>();
    recorded(report)
        .sorted(Comparator.comparing(ActionTaken::at).reversed())
        .forEach(action -> unique.putIfAbsent(action.labels(), action));
    served(List.copyOf(unique.values()), "actions", dropped)
        .forEach(action -> family.addMetric(action.labels(), seconds(action.at())));
    return List.of(family);
  }

  private void remember(CycleReport report) {
    Set<String> recorded =
        report.cluster().reclamations().stream()
            .flatMap(List::stream)
            .flatMap(record -> record.status().stream())
            .map(progress -> progress.owner().uid())
            .collect(Collectors.toSet());
    teams.keySet().retainAll(recorded);
    report.plan().entries().stream()
        .map(Plan.PlanEntry::step)
        .filter(Step.Act.class::isInstance)
        .map(Step::workload)
        .forEach(
            workload -> teams.put(workload.uid(), team.ofWorkload(workload, report.cluster())));
  }

  private String teamOf(ReclamationProgress progress, ClusterView cluster) {
    String uid = progress.owner().uid();
    return progress.isEviction() && teams.containsKey(uid)
        ? teams.get(uid)
        : team.ofOwner(uid, progress.owner().namespace(), cluster);
  }

  private Stream<ActionTaken> recorded(CycleReport report) {
    return report.cluster().reclamations().stream()
        .flatMap(List::stream)
        .flatMap(
            record ->
                record.status().stream()
                    .flatMap(
                        progress ->
                            ActionTaken.recorded(
                                record, progress, teamOf(progress, report.cluster()))
                                .stream()));
  }

  private static <T> List<T> served(List<T> all, String what, GaugeMetricFamily dropped) {
    dropped.addMetric(List.of(what), Math.max(0, all.size() - MOST));
    return all.subList(0, Math.min(all.size(), MOST));
  }

  private static double seconds(Instant at) {
    return at.toEpochMilli() / MILLIS_PER_SECOND;
  }
}
