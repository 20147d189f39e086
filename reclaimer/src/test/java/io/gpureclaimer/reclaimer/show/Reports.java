package io.gpureclaimer.reclaimer.show;

import static io.gpureclaimer.reclaimer.policy.PodDraft.pod;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.NOW;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.ago;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.idle;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.map;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.namespace;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.node;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.warned;

import io.gpureclaimer.reclaimer.audit.CycleReport;
import io.gpureclaimer.reclaimer.cluster.ActionResult;
import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.ClusterView.NamespaceView;
import io.gpureclaimer.reclaimer.cluster.NodeView;
import io.gpureclaimer.reclaimer.cluster.PodTraits;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.evidence.Observation;
import io.gpureclaimer.reclaimer.evidence.PodActivity;
import io.gpureclaimer.reclaimer.execution.PlanExecutor.StepResult;
import io.gpureclaimer.reclaimer.execution.Postponements.Postponement;
import io.gpureclaimer.reclaimer.plan.Planner;
import io.gpureclaimer.reclaimer.plan.Planner.Plan;
import io.gpureclaimer.reclaimer.plan.Planner.PlanLimits;
import io.gpureclaimer.reclaimer.plan.Step;
import io.gpureclaimer.reclaimer.verdict.Judge;
import io.gpureclaimer.reclaimer.verdict.Judge.Judgment;
import io.gpureclaimer.reclaimer.verdict.JudgeScenario;
import io.gpureclaimer.reclaimer.verdict.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reports with everything in them that can be shown, made by the real judge and planner. */
public final class Reports {
  private static final Judge JUDGE = new Judge(JudgeScenario.DEFAULTS, JudgeScenario.LIMITS);
  private static final Planner PLANNER = new Planner(new PlanLimits(2, Duration.ofSeconds(30)));
  private static final NamespaceView NAMESPACE =
      namespace("ml", "mode", "always", "idle-after", "1h", "warn-before", "10s");

  private Reports() {}

  /** A busy cluster, without actions. */
  public static CycleReport full() {
    return report(seen(), _ -> false);
  }

  /** The same, acted on: one is evicted, one spared, one was put off before, one failed. */
  public static CycleReport acted() {
    CycleReport looked = report(seen(), verdict -> verdict.workload().name().equals("blocked"));
    return looked.with(
        looked.plan().entries().stream()
            .map(Plan.PlanEntry::step)
            .flatMap(Reports::result)
            .toList());
  }

  /** The same, whose node has GPUs of this model, and another node others. */
  public static CycleReport actedOn(String model) {
    CycleReport report = acted();
    NodeView node = report.cluster().nodes().getFirst();
    return new CycleReport(
        report.at(),
        new ClusterView(
            report.cluster().pods(),
            report.cluster().namespaces(),
            List.of(labeled(node.name(), node.gpus(), model), labeled("other", 4, "NVIDIA-A10")),
            report.cluster().owners()),
        report.observation(),
        report.judgments(),
        report.postponed(),
        report.plan(),
        report.results());
  }

  private static NodeView labeled(String name, int gpus, String model) {
    return new NodeView(name, gpus, Map.of("nvidia.com/gpu.product", model), List.of(), true);
  }

  /** The same cluster, and a source that did not answer. */
  public static CycleReport blind() {
    return report(
        new Observation.Blind(
            "POST http://prometheus:9090/api/v1/query: expected an answer, found"
                + " nothing within 30s"),
        _ -> false);
  }

  /** The same cluster, and a source whose clock is an hour behind. */
  static CycleReport skewed() {
    Observation.Seen seen = seen();
    return report(
        new Observation.Seen(seen.at().minusSeconds(3600), seen.pods(), List.of()), _ -> false);
  }

  /** No pod wants a GPU. */
  public static CycleReport empty() {
    return new CycleReport(
        NOW,
        new ClusterView(List.of(), Map.of(), List.of(), Map.of()),
        new Observation.Seen(
            NOW,
            Map.of(),
            List.of(
                "no gpu_pod_* series in the answer: no pod holds a GPU, or no agent is scraped")),
        List.of(),
        List.of(),
        new Plan(List.of()),
        List.of());
  }

  /** So many notebooks of a hundred teams, active or idle for random times. */
  public static CycleReport of(int workloads) {
    var random = new Random(7);
    Map<String, NamespaceView> namespaces = new HashMap<>();
    var pods = new ArrayList<PodView>();
    Map<String, PodActivity> activity = new HashMap<>();
    for (int i = 0; i < workloads; i++) {
      String team = "team-" + i % 100;
      namespaces.put(
          team,
          new NamespaceView(
              team, map("mode", "on-demand", "idle-after", "1h", "warn-before", "10s")));
      PodView pod =
          pod("notebook-" + i)
              .namespace(team)
              .uid("uid-" + i)
              .owner("StatefulSet", "notebook-" + i)
              .draw();
      pods.add(pod);
      activity.put(pod.ref().uid(), idle(pod, random.nextInt(1, 200_000) + "s"));
    }
    var view =
        new ClusterView(
            pods,
            namespaces,
            List.of(node("node-1", workloads)),
            JudgeScenario.owners(pods.toArray(PodView[]::new)));
    var seen = new Observation.Seen(NOW, activity, List.of());
    return new CycleReport(
        NOW, view, seen, JUDGE.judge(view, seen, NOW), List.of(), new Plan(List.of()), List.of());
  }

  private static Stream<StepResult> result(Step step) {
    return switch (step) {
      case Step.Warn _ ->
          Stream.of(new StepResult(step, ActionResult.refused(403, "patch is forbidden")));
      case Step.Withdraw _ -> Stream.of(new StepResult(step, new ActionResult.Done()));
      case Step.Act act when act.workload().name().equals("due-longest") ->
          Stream.of(new StepResult(act, new ActionResult.Done()));
      case Step.Act act ->
          Stream.of(
              new StepResult(
                  act,
                  new ActionResult.Skipped(
                      "in use: pod ml/due was active at 2026-03-02T12:00:00Z")));
      case Step.Wait _ -> Stream.empty();
    };
  }

  private static CycleReport report(Observation observation, Predicate<Verdict> postponed) {
    var view =
        new ClusterView(
            pods(),
            Map.of("ml", NAMESPACE),
            List.of(node("node-1", 16)),
            JudgeScenario.owners(pods().toArray(PodView[]::new)));
    List<Judgment> judgments = JUDGE.judge(view, observation, NOW);
    List<Verdict> verdicts = judgments.stream().map(Judgment::verdict).toList();
    Plan plan =
        observation instanceof Observation.Blind
            ? new Plan(List.of())
            : PLANNER.plan(verdicts.stream().filter(postponed.negate()).toList(), view, NOW);
    return new CycleReport(
        NOW,
        view,
        observation,
        judgments,
        verdicts.stream()
            .filter(postponed)
            .map(
                verdict ->
                    new Postponement(
                        verdict,
                        NOW.plusSeconds(30).plusMillis(7),
                        "Cannot evict pod as it would violate the pod's disruption budget."))
            .toList(),
        plan,
        List.of());
  }

  private static Observation.Seen seen() {
    Map<String, PodActivity> pods =
        pods().stream()
            .flatMap(
                pod ->
                    Optional.ofNullable(IDLE.get(pod.ref().name()))
                        .map(gpus -> idle(pod, gpus))
                        .stream())
            .collect(Collectors.toMap(PodActivity::uid, pod -> pod));
    return new Observation.Seen(
        NOW, pods, List.of("utilization without UUID", "observed_until without pod_uid or UUID"));
  }

  private static final Map<String, String[]> IDLE =
      Map.ofEntries(
          Map.entry("active", new String[] {"5s", "3h"}),
          Map.entry("watching", new String[] {"42m"}),
          Map.entry("to-warn", new String[] {"61m"}),
          Map.entry("warned", new String[] {"59m55s"}),
          Map.entry("due", new String[] {"1h2m", "2h", "3h"}),
          Map.entry("due-longest", new String[] {"2h3m"}),
          Map.entry("blocked", new String[] {"9h"}),
          Map.entry("on-demand", new String[] {"90m"}),
          Map.entry("excluded", new String[] {"9h"}),
          Map.entry("typo", new String[] {"9h"}),
          Map.entry("server-x2kl9", new String[] {"26h"}),
          Map.entry("back-to-work", new String[] {"1s"}));

  private static List<PodView> pods() {
    return List.of(
        pod("active").gpus(2).draw(),
        pod("watching").draw(),
        pod("to-warn").draw(),
        pod("warned").with(warned("5s", "59m55s")).draw(),
        pod("due").gpus(3).with(warned("20m", "1h2m")).draw(),
        pod("due-longest").with(warned("20m", "2h3m")).draw(),
        pod("blocked").with(warned("20m", "9h")).draw(),
        pod("on-demand").with("mode", "on-demand").with(warned("20m", "90m")).draw(),
        pod("excluded").with("exclude", "true").draw(),
        pod("typo").with("exlude", "true").draw(),
        pod("server-x2kl9")
            .owner("ReplicaSet", "server")
            .traits(PodTraits.NONE.withEndpoint("port 8000 (http)"))
            .draw(),
        pod("back-to-work").with(warned("20m", "9h")).draw(),
        pod("unseen").gpus(4).draw(),
        pod("starting").unscheduled().draw(),
        pod("waiting").gpus(8).waiting(ago("5m")).draw());
  }
}
