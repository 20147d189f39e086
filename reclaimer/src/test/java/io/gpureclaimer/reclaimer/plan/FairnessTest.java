package io.gpureclaimer.reclaimer.plan;

import static io.gpureclaimer.reclaimer.policy.PodDraft.pod;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.NOW;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.ago;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.node;
import static io.gpureclaimer.reclaimer.verdict.JudgeScenario.time;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.gpureclaimer.common.vocabulary.ResourceNames;
import io.gpureclaimer.reclaimer.action.evict.EvictPod;
import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.GpuShare;
import io.gpureclaimer.reclaimer.cluster.ObjectRef;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.cluster.Reclamation;
import io.gpureclaimer.reclaimer.cluster.Reclamation.ReclamationProgress;
import io.gpureclaimer.reclaimer.cluster.Reclamation.ReclamationState;
import io.gpureclaimer.reclaimer.cluster.Reclamation.RestoreRequest;
import io.gpureclaimer.reclaimer.cluster.Reclamation.Timeline;
import io.gpureclaimer.reclaimer.cluster.Reclamations;
import io.gpureclaimer.reclaimer.cluster.SchedulingFacts;
import io.gpureclaimer.reclaimer.plan.Fairness.Given;
import io.gpureclaimer.reclaimer.plan.Planner.Plan;
import io.gpureclaimer.reclaimer.plan.Planner.Plan.PlanEntry;
import io.gpureclaimer.reclaimer.plan.Planner.PlanLimits;
import io.gpureclaimer.reclaimer.plan.Step.Act;
import io.gpureclaimer.reclaimer.policy.Mode;
import io.gpureclaimer.reclaimer.policy.PodDraft;
import io.gpureclaimer.reclaimer.verdict.Verdict.Due;
import io.gpureclaimer.reclaimer.workload.Workload;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FairnessTest {
  private static final Planner PLANNER = new Planner(new PlanLimits(1, Duration.ZERO));

  /** {@code since} is when the devices were free, {@code until} when that was over. */
  @ParameterizedTest
  @CsvSource({
    "RECLAIMED, 10h, , 20, 1",
    "RECLAIMED, 240h, , 336, 1",
    "RESTORED, 10h, 4h, 12, 1",
    "RESTORED, 170h, 167h, 2, 1",
    "RESTORED, 200h, 169h, 0, 0",
    "SUPERSEDED, 10h, 4h, 12, 1",
    "CONTESTED, 10h, 9h, 2, 1",
    "ACTING, , , 0, 1",
    "INTENDED, , , 0, 0",
    "FAILED, , 4h, 0, 0"
  })
  void gpuHoursAreDevicesTimesTheHoursOfTheLastWeekInWhichTheyWereFree(
      ReclamationState state, String since, String until, double gpuHours, int actions) {
    Timeline times =
        new Timeline(
            NOW,
            NOW,
            NOW,
            Optional.ofNullable(since).map(FairnessTest::at),
            Optional.ofNullable(since).map(FairnessTest::at),
            Optional.empty(),
            Optional.ofNullable(until).map(FairnessTest::at));
    Fairness fairness = fairness(record("ml", "Deployment", "web", state, 2, times));

    assertThat(fairness.ofNamespace("ml").gpuHours()).isCloseTo(gpuHours, within(1e-9));
    assertThat(fairness.ofNamespace("ml").actions()).isEqualTo(actions);
    assertThat(fairness.ofNamespace("web")).isEqualTo(new Given(0, 0));
  }

  @Test
  void evictionCountsUntilThePodIsCreatedAgain() {
    assertThat(fairness(evicted("ml", "a", "10h")).ofNamespace("ml")).isEqualTo(new Given(10, 1));
    assertThat(
            fairness(
                    record(
                        "ml",
                        "Pod",
                        "a",
                        ReclamationState.RESTORED,
                        1,
                        timeline("10h").ended(at("9h"))))
                .ofNamespace("ml"))
        .isEqualTo(new Given(1, 1));
  }

  @Test
  void restorationEndsTheHours_whenItBegins() {
    Timeline times = timeline("10h").reclaimed(at("10h")).restoring(at("6h")).ended(at("2h"));

    assertThat(
            fairness(record("ml", "Job", "train", ReclamationState.RESTORED, 1, times))
                .ofNamespace("ml"))
        .isEqualTo(new Given(4, 1));
  }

  @Test
  void workloadOfTheOneThatGaveNothingIsReclaimed_ifLossesAreEqual() {
    Due first = due("a", "ml", "5h");
    Due second = due("b", "web", "5h");

    assertThat(victim(List.of(first, second))).isEqualTo("ml/a");
    assertThat(victim(List.of(first, second), evicted("ml", "other", "10h"))).isEqualTo("web/b");
    assertThat(victim(List.of(first, second), evicted("web", "other", "10h"))).isEqualTo("ml/a");
  }

  @Test
  void workloadOfTheNamespaceThatGaveLessIsReclaimed_ifOwnersGaveAlready() {
    Due first = due("a", "ml", "5h");
    Due second = due("b", "web", "5h");

    assertThat(victim(List.of(first, second), evicted("ml", "a", "10h"), evicted("web", "b", "9h")))
        .isEqualTo("web/b");
  }

  @Test
  void ownerThatGaveNothingComesBeforeOneThatGave_inOneNamespace() {
    Due first = due("a", "ml", "5h");
    Due second = due("b", "ml", "5h");

    assertThat(victim(List.of(first, second))).isEqualTo("ml/a");
    assertThat(victim(List.of(first, second), evicted("ml", "a", "10h"))).isEqualTo("ml/b");
  }

  @Test
  void fairnessDecidesWithinATenthOfTheLossOnly() {
    Due gave = due("a", "ml", "10h");
    Due nearly = due("b", "web", "9h30m");
    Due clearly = due("c", "web", "8h");
    Reclamation earlier = evicted("ml", "a", "10h");

    assertThat(victim(List.of(gave, nearly))).isEqualTo("ml/a");
    assertThat(victim(List.of(gave, nearly), earlier)).isEqualTo("web/b");
    assertThat(victim(List.of(gave, clearly), earlier)).isEqualTo("ml/a");
  }

  @Test
  void namespaceOverItsShareComesFirst_evenIfItGave() {
    Due over = due("z", "ml", "5h");
    Due within = due("a", "web", "5h");
    Map<String, List<GpuShare>> shares =
        Map.of(
            "ml", List.of(new GpuShare("ClusterQueue research", ResourceNames.GPU, 12, 8)),
            "web", List.of(new GpuShare("ClusterQueue web", ResourceNames.GPU, 4, 4)));
    Reclamation earlier = evicted("ml", "other", "10h");

    assertThat(victim(List.of(over, within), earlier)).isEqualTo("web/a");
    assertThat(victim(plan(List.of(over, within), shares, earlier))).isEqualTo("ml/z");
  }

  /** Namespace ml gave, so that it is spared unless it is over its share. */
  @ParameterizedTest(name = "workloads with {1} are reclaimed first by a share of {0}: {2}")
  @CsvSource({
    "nvidia.com/gpu, nvidia.com/gpu, true",
    "nvidia.com/mig-1g.10gb, nvidia.com/gpu, false",
    "nvidia.com/gpu.shared, nvidia.com/gpu, false",
    "nvidia.com/mig-1g.10gb, nvidia.com/mig-1g.10gb, true",
    "nvidia.com/mig-2g.20gb, nvidia.com/mig-1g.10gb, false",
    "nvidia.com/gpu, nvidia.com/mig-1g.10gb, false",
    "nvidia.com/gpu.shared, nvidia.com/gpu.shared, true",
    "nvidia.com/gpu, nvidia.com/gpu.shared, false",
    "CLASS/gpu, CLASS/gpu, true",
    "CLASS/gpu, CLASS/gpu [big], true",
    "CLASS/gpu, CLASS/gpu-large, false",
    "nvidia.com/gpu, CLASS/gpu, false"
  })
  void shareCountsForWorkloadsWithDevicesOfItsResource(
      String ofShare, String held, boolean comesFirst) {
    List<Due> due =
        Stream.of("ml", "web").map(name -> due(holding(name, inFull(held)).draw(), "5h")).toList();
    Fairness fairness =
        Fairness.of(
            cluster(
                List.of(),
                Optional.of(new Reclamations(List.of(evicted("ml", "other", "10h")))),
                Map.of("ml", List.of(new GpuShare("ResourceQuota x", inFull(ofShare), 3, 2)))),
            NOW);
    ToLongFunction<Due> cost = fairness.cost(due);

    assertThat(cost.applyAsLong(due.getFirst()) < cost.applyAsLong(due.getLast()))
        .isEqualTo(comesFirst);
  }

  @Test
  void allOwnersGiveOnceBeforeOneGivesTwice() {
    List<Due> due =
        Stream.of("a/1", "a/2", "a/3", "b/4", "c/5", "c/6")
            .map(name -> due(name.substring(2), name.substring(0, 1), "5h"))
            .toList();
    List<Reclamation> records = new ArrayList<>();
    List<String> victims = new ArrayList<>();
    for (int round = 0; round < 2 * due.size(); round++) {
      String victim = victim(due, records.toArray(Reclamation[]::new));
      victims.add(victim);
      records.add(evicted(victim.substring(0, 1), victim.substring(2), (20 - round) + "h"));
    }

    assertThat(victims.subList(0, due.size())).doesNotHaveDuplicates();
    assertThat(victims.subList(0, 3)).containsExactlyInAnyOrder("a/1", "b/4", "c/5");
  }

  @Test
  void unreadableRecordsCountAsNothingGiven_andThePlanSaysSo() {
    List<Due> due = List.of(due("a", "ml", "5h"), due("b", "web", "5h"));
    Plan plan = PLANNER.plan(List.copyOf(due), cluster(due, Optional.empty(), Map.of()), NOW);

    assertThat(victim(plan)).isEqualTo("ml/a");
    assertThat(plan.fairness().summary())
        .contains(
            "records of actions cannot be read, so each namespace counts as one that gave nothing");
  }

  @Test
  void sentenceNamesNamespaceWorkloadAndShare() {
    Due due = due("a", "ml", "5h");
    Plan plan =
        plan(
            List.of(due),
            Map.of(
                "ml",
                List.of(
                    new GpuShare("ResourceQuota gpus", ResourceNames.GPU, 9, 8),
                    new GpuShare("ResourceQuota gpus", "nvidia.com/gpu.shared", 3, 4),
                    new GpuShare("ResourceQuota gpus", "nvidia.com/mig-1g.10gb", 3, 2))),
            evicted("ml", "a", "10h"),
            evicted("ml", "b", "2h30m"),
            evicted("web", "c", "1h"));

    assertThat(plan.fairness().sentence(due.workload()))
        .isEqualTo(
            "namespace ml gave 12.5 GPU-hours in the last week, the most; this workload gave 10.0 of"
                + " them; namespace ml is over its share (ResourceQuota gpus: 9 of 8 GPUs)");
    assertThat(plan.fairness().summary())
        .contains(
            "namespace ml gave 12.5 GPU-hours in the last week, the most; namespace web gave 1.0"
                + " GPU-hours in the last week; namespace ml is over its share (ResourceQuota gpus:"
                + " 9 of 8 GPUs, ResourceQuota gpus: 3 of 2 nvidia.com/mig-1g.10gb)");
    assertThat(plan.fairness().in("web"::equals).summary())
        .contains("namespace web gave 1.0 GPU-hours in the last week");
  }

  private static Fairness fairness(Reclamation... records) {
    return Fairness.of(
        cluster(List.of(), Optional.of(new Reclamations(List.of(records))), Map.of()), NOW);
  }

  private static String victim(List<Due> due, Reclamation... records) {
    return victim(plan(due, Map.of(), records));
  }

  private static String victim(Plan plan) {
    return plan.entries().stream()
        .map(PlanEntry::step)
        .filter(Act.class::isInstance)
        .map(step -> step.workload().firstPod().ref())
        .map(ref -> ref.namespace() + "/" + ref.name())
        .findFirst()
        .orElseThrow();
  }

  private static Plan plan(
      List<Due> due, Map<String, List<GpuShare>> shares, Reclamation... records) {
    return PLANNER.plan(
        List.copyOf(due),
        cluster(due, Optional.of(new Reclamations(List.of(records))), shares),
        NOW);
  }

  private static ClusterView cluster(
      List<Due> due, Optional<Reclamations> records, Map<String, List<GpuShare>> shares) {
    PodView waiting = pod("waiting").gpus(1).waiting(ago("5m")).draw();
    List<PodView> pods =
        Stream.concat(
                due.stream().map(each -> each.workload().firstPod()),
                due.isEmpty() ? Stream.of() : Stream.of(waiting))
            .toList();
    return new ClusterView(
        pods,
        Map.of(),
        IntStream.range(0, due.size()).mapToObj(index -> node("node-" + index, 1)).toList(),
        Map.of(),
        records,
        SchedulingFacts.NONE.withShares(shares));
  }

  /** Each on a node of its own; of equal ones, the first by uid would be chosen. */
  private static Due due(String name, String namespace, String idleFor) {
    PodView pod =
        pod(name)
            .namespace(namespace)
            .uid(namespace + name)
            .on("node-" + slot(name))
            .gpus(1)
            .draw();
    return due(pod, idleFor);
  }

  private static Due due(PodView pod, String idleFor) {
    return new Due(
        new Workload(pod.ref().namespace(), Optional.empty(), List.of(pod)),
        ago(idleFor),
        time(idleFor),
        ago("30m"),
        Mode.ON_DEMAND,
        new EvictPod());
  }

  private static PodDraft holding(String namespace, String resource) {
    PodDraft pod = pod(namespace).namespace(namespace).gpus(0);
    if (resource.startsWith(ResourceNames.CLASS_PREFIX)) {
      return pod.claims(resource.substring(ResourceNames.CLASS_PREFIX.length()), 1);
    }
    if (resource.startsWith(ResourceNames.MIG_PREFIX)) {
      return pod.slices(resource.substring(ResourceNames.MIG_PREFIX.length()), 1);
    }
    return resource.equals(ResourceNames.GPU) ? pod.gpus(1) : pod.replica(resource);
  }

  private static String inFull(String resource) {
    return resource.replace("CLASS/", ResourceNames.CLASS_PREFIX);
  }

  private static int slot(String name) {
    return switch (name) {
      case "b", "c", "z" -> 1;
      case "a" -> 0;
      default -> Integer.parseInt(name) - 1;
    };
  }

  private static Reclamation evicted(String namespace, String name, String ago) {
    return record(
        namespace, "Pod", name, ReclamationState.EVICTED, 1, timeline(ago).ended(at(ago)));
  }

  private static Timeline timeline(String ago) {
    return Timeline.recorded(at(ago), at(ago), at(ago)).acted(at(ago));
  }

  private static Instant at(String ago) {
    return ago(ago);
  }

  private static Reclamation record(
      String namespace,
      String kind,
      String name,
      ReclamationState state,
      int devices,
      Timeline times) {
    var progress =
        new ReclamationProgress(
            state,
            "evict",
            name,
            "",
            new ObjectRef("v1", kind, namespace, name, "u-" + name),
            "1",
            List.of(),
            devices,
            Optional.empty(),
            "",
            List.of(),
            times);
    return new Reclamation(
        namespace, name, "u-" + name, "1", RestoreRequest.NONE, Optional.of(progress));
  }
}
