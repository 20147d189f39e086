package io.gpureclaimer.reclaimer.cluster.kubernetes.parser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.fabric8.kubernetes.api.model.Pod;
import io.gpureclaimer.reclaimer.cluster.Accelerators;
import io.gpureclaimer.reclaimer.cluster.LabelRequirement;
import io.gpureclaimer.reclaimer.cluster.Neighbors.Neighbor;
import io.gpureclaimer.reclaimer.cluster.Owner;
import io.gpureclaimer.reclaimer.cluster.Placement;
import io.gpureclaimer.reclaimer.cluster.Placement.NodeTerm;
import io.gpureclaimer.reclaimer.cluster.Placement.Toleration;
import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.cluster.PodRules;
import io.gpureclaimer.reclaimer.cluster.PodTraits;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.cluster.PodView.PodPhase;
import io.gpureclaimer.reclaimer.cluster.PodView.Waiting;
import io.gpureclaimer.reclaimer.cluster.kubernetes.parser.KnownClaim.ClaimReference;
import io.gpureclaimer.reclaimer.cluster.kubernetes.parser.PodParser.KnownPod;
import io.gpureclaimer.reclaimer.cluster.kubernetes.parser.PodParser.OtherPod;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PodParserTest {
  private static final PodParser READING =
      new PodParser(AcceleratorNames.USUAL, Set.of(), Optional.empty());
  private static final String METADATA =
      "metadata: {namespace: ml, name: train-0, uid: u1, resourceVersion: '7'";
  private static final String ONE_GPU = "containers: [{resources: {limits: {nvidia.com/gpu: 1}}}]";

  @Test
  void readsEverythingOfARunningPod() {
    PodView pod =
        read(
            """
            metadata:
              namespace: ml
              name: train-0
              uid: u1
              resourceVersion: '7'
              annotations:
                gpu-reclaimer.io/exclude: 'true'
                kubectl.kubernetes.io/last-applied-configuration: '{}'
              ownerReferences:
              - {kind: Workflow, name: w, uid: u2, apiVersion: argoproj.io/v1alpha1}
              - {kind: ReplicaSet, name: train, uid: u3, apiVersion: apps/v1, controller: true}
            spec:
              nodeName: node-a
              priority: 100
              nodeSelector: {gpu: h100}
              tolerations:
              - {key: nvidia.com/gpu, operator: Exists, effect: NoSchedule}
              - {key: team, value: ml}
              containers:
              - resources: {limits: {nvidia.com/gpu: 4}}
            status:
              phase: Running
              conditions:
              - {type: PodScheduled, status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z'}
              - {type: Ready, status: 'True', lastTransitionTime: '2026-01-02T00:01:00Z'}
              containerStatuses:
              - {name: a, state: {running: {startedAt: '2026-01-01T00:00:09Z'}}}
              - {name: b, state: {running: {startedAt: '2026-01-02T00:00:00Z'}}}
              - {name: c, state: {waiting: {reason: CrashLoopBackOff}}}
            """);

    assertThat(pod)
        .isEqualTo(
            new PodView(
                new PodRef("ml", "train-0", "u1"),
                "7",
                PodPhase.RUNNING,
                false,
                Optional.of("node-a"),
                Accelerators.whole(4),
                Optional.of(new Owner("apps/v1", "ReplicaSet", "train", "u3")),
                Map.of("gpu-reclaimer.io/exclude", "true"),
                100,
                Optional.empty(),
                Optional.empty(),
                new Placement(
                    Map.of("gpu", "h100"),
                    List.of(
                        new Toleration("nvidia.com/gpu", true, "", "NoSchedule"),
                        new Toleration("team", false, "ml", "")),
                    false),
                Optional.of(Instant.parse("2026-01-02T00:00:00Z")),
                Optional.of(Instant.parse("2026-01-02T00:01:00Z")),
                Optional.empty(),
                PodTraits.NONE,
                Optional.empty(),
                Optional.empty(),
                Map.of("pods", 1_000L)));
  }

  @Test
  void readsTheLeastThatAPodCanBe() {
    assertThat(read(METADATA + "}\nspec: {" + ONE_GPU + "}"))
        .isEqualTo(
            new PodView(
                new PodRef("ml", "train-0", "u1"),
                "7",
                PodPhase.UNKNOWN,
                false,
                Optional.empty(),
                Accelerators.whole(1),
                Optional.empty(),
                Map.of(),
                0,
                Optional.empty(),
                Optional.empty(),
                Placement.ANYWHERE,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                PodTraits.NONE,
                Optional.empty(),
                Optional.empty(),
                Map.of("pods", 1_000L)));
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "00:00:00, 00:02:30, 0, PT2M30S",
        "00:00:00, 23:59:59, 0, PT23H59M59S",
        "00:00:00, 00:00:00, 0, PT0S",
        "00:00:01, 00:00:00, 0, -",
        "00:00:00, 00:02:30, 1, -",
        "00:00:00, 00:02:30, -, -",
        "-, 00:02:30, 0, -",
        "00:00:00, -, 0, -"
      })
  void measuresItsStart_unlessContainersRestartedOrClocksDisagree(
      @Nullable String scheduled,
      @Nullable String ready,
      @Nullable String restarts,
      @Nullable Duration startup) {
    String status =
        "status: {conditions: ["
            + condition("PodScheduled", scheduled)
            + ", "
            + condition("Ready", ready)
            + "], containerStatuses: [{name: a, restartCount: 0}"
            + (restarts == null ? ", {name: b}" : ", {name: b, restartCount: " + restarts + "}")
            + "]}";

    assertThat(read(METADATA + "}\nspec: {" + ONE_GPU + "}\n" + status).startup())
        .isEqualTo(Optional.ofNullable(startup));
  }

  @Test
  void doesNotKnowItsStart_whenNoContainerIsReported() {
    String status =
        "status: {conditions: ["
            + condition("PodScheduled", "00:00:00")
            + ", "
            + condition("Ready", "00:02:30")
            + "]}";

    assertThat(read(METADATA + "}\nspec: {" + ONE_GPU + "}\n" + status).startup()).isEmpty();
  }

  /** False since a time that must not count, where none is given. */
  private static String condition(String type, @Nullable String time) {
    return "{type: "
        + type
        + ", status: '"
        + (time == null ? "False" : "True")
        + "', lastTransitionTime: '2026-01-01T"
        + (time == null ? "00:01:00" : time)
        + "Z'}";
  }

  @Test
  void refusesAPodWithoutUid() {
    assertThatNullPointerException()
        .isThrownBy(
            () ->
                read(
                    "{metadata: {namespace: ml, name: a, resourceVersion: '1'}, spec: {containers:"
                        + " []}}"))
        .withMessage("metadata.uid");
  }

  @Test
  void isNotReady_whileTheConditionSaysSo() {
    assertThat(
            read(METADATA
                    + "}\nspec: {"
                    + ONE_GPU
                    + "}\nstatus: {conditions: [{type: Ready, status: 'False', lastTransitionTime:"
                    + " '2026-01-02T00:01:00Z'}]}")
                .readyAt())
        .isEmpty();
  }

  @Test
  void marksTerminatingPods() {
    assertThat(
            read(METADATA + ", deletionTimestamp: '2026-01-01T00:00:00Z'}\nspec: {" + ONE_GPU + "}")
                .terminating())
        .isTrue();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          mirror pod        | {namespace: ml, annotations: {kubernetes.io/config.mirror: abc}}  | {}                                    | static pod
          static pod        | {namespace: ml, annotations: {kubernetes.io/config.source: file}} | {}                                    | static pod
          owned by a node   | {namespace: ml, ownerReferences: [{kind: Node, name: n, uid: u, controller: true}]} | {}                  | static pod
          DaemonSet's       | {namespace: ml, ownerReferences: [{kind: DaemonSet, name: ds, uid: u, controller: true}]} | {}                | owned by DaemonSet/ds
          system namespace  | {namespace: kube-system}                                          | {}                                    | in the system namespace kube-system
          critical class    | {namespace: ml}                                                   | {priorityClassName: system-node-critical} | of priority class system-node-critical
          critical priority | {namespace: ml}                                                   | {priority: 2000000000}                | of system-critical priority 2000000000
          OpenShift's       | {namespace: openshift-monitoring}                                 | {}                                    | in the system namespace openshift-monitoring
          ours              | {namespace: gpu-reclaimer}                                        | {}                                    | in the namespace gpu-reclaimer, which is never touched
          Kubeflow's        | {namespace: kubeflow}                                             | {}                                    |
          high priority     | {namespace: ml}                                                   | {priority: 1999999999}                |
          source api        | {namespace: ml, annotations: {kubernetes.io/config.source: api}}  | {}                                    |
          """)
  void knowsWhoIsUntouchable(String name, String metadata, String spec, String reason) {
    Pod pod = parse("{metadata: " + metadata + ", spec: " + spec + "}");
    assertThat(new ExclusionRules(Set.of("gpu-reclaimer")).reason(pod))
        .as(name)
        .isEqualTo(Optional.ofNullable(reason));
  }

  @Test
  void waits_whenTheSchedulerFoundNoNode() {
    assertThat(pending("Unschedulable", "0/3 nodes are available").waiting())
        .contains(new Waiting(Instant.parse("2026-01-01T00:01:00Z"), "0/3 nodes are available"));
  }

  @Test
  void knowsTheNodeOnWhichTheSchedulerExpectsAPod() {
    PodView pod =
        read(
            METADATA
                + "}\nspec: {"
                + ONE_GPU
                + "}\nstatus: {phase: Pending, nominatedNodeName: node-3, conditions:"
                + " [{type: PodScheduled, status: 'False', reason: Unschedulable,"
                + " lastTransitionTime: '2026-01-01T00:01:00Z', message: full}]}");

    assertThat(pod.waiting())
        .contains(
            new Waiting(Instant.parse("2026-01-01T00:01:00Z"), "full", Optional.of("node-3")));
  }

  /** The API server attributes each field to its last writer. */
  @Test
  void knowsWhichNodeThisProgramHasNominated() {
    String template =
        METADATA
            + ", managedFields: [{manager: kube-scheduler, subresource: status, fieldsV1:"
            + " {'f:status': {'f:conditions': {}}}},"
            + " {manager: MANAGER, subresource: status, fieldsV1:"
            + " {'f:status': {'f:nominatedNodeName': {}}}}]}\nspec: {"
            + ONE_GPU
            + "}\nstatus: {phase: Pending, nominatedNodeName: node-3, conditions:"
            + " [{type: PodScheduled, status: 'False', reason: Unschedulable,"
            + " lastTransitionTime: '2026-01-01T00:01:00Z', message: full}]}";
    Instant since = Instant.parse("2026-01-01T00:01:00Z");

    assertThat(read(template.replace("MANAGER", "gpu-reclaimer")).waiting())
        .contains(new Waiting(since, "full", Optional.empty(), Optional.of("node-3")));
    assertThat(read(template.replace("MANAGER", "kube-scheduler")).waiting())
        .contains(new Waiting(since, "full", Optional.of("node-3")));
  }

  @Test
  void doesNotWait_whileASchedulingGateHoldsIt() {
    assertThat(pending("SchedulingGated", "Scheduling is blocked").waiting()).isEmpty();
  }

  @ParameterizedTest(name = "{0} keeps the pod in the view: {1}")
  @CsvSource({"Pending,true", "Running,true", "Succeeded,false", "Failed,false", "Unknown,true"})
  void leavesOutFinishedPods(String phase, boolean listed) {
    Pod pod = parse(METADATA + "}\nspec: {" + ONE_GPU + "}\nstatus: {phase: " + phase + "}");
    assertThat(READING.ofGpuPod(pod).isPresent()).isEqualTo(listed);
  }

  @Test
  void leavesOutPodsWithoutGpusAndSlices() {
    assertThat(READING.ofGpuPod(requesting("nvidia.com/gpucores"))).isEmpty();
    assertThat(READING.ofGpuPod(requesting("nvidia.com/mig-1g.10gb")))
        .map(pod -> pod.view().accelerators())
        .contains(new Accelerators(0, Map.of("1g.10gb", 1), false));
  }

  /** Without their pod, what is above the pods that they own is unknown. */
  @ParameterizedTest
  @CsvSource({
    "spark-role: driver, true",
    "spark-role: executor, false",
    "leaderworkerset.sigs.k8s.io/worker-index: \"0\", true",
    "leaderworkerset.sigs.k8s.io/worker-index: \"1\", false"
  })
  void keepsPodsThatMayOwnPods(String label, boolean listed) {
    Pod pod = parse(METADATA + ", labels: {" + label + "}}\nspec: {containers: [{name: main}]}");
    assertThat(READING.ofGpuPod(pod).isPresent()).isEqualTo(listed);
  }

  @Test
  void keepsPodsWithClaims_andSaysWhichTheyAre() {
    Pod pod =
        parse(
            METADATA
                + """
                }
                spec:
                  containers: [{name: main}]
                  resourceClaims:
                  - {name: mine, resourceClaimName: gpu}
                  - {name: made, resourceClaimTemplateName: template}
                  - {name: needless, resourceClaimTemplateName: template}
                  - {name: later, resourceClaimTemplateName: template}
                status:
                  phase: Pending
                  resourceClaimStatuses:
                  - {name: made, resourceClaimName: train-0-made-x7}
                  - {name: needless}
                """);

    assertThat(READING.ofGpuPod(pod))
        .map(KnownPod::claims)
        .contains(
            List.of(
                new ClaimReference("mine", Optional.of("gpu"), false),
                new ClaimReference("made", Optional.of("train-0-made-x7"), false),
                new ClaimReference("needless", Optional.empty(), true),
                new ClaimReference("later", Optional.empty(), false)));
  }

  /** As kube-scheduler 1.36.2 writes it. */
  private static final String BY_CLAIM =
      """

      status:
        phase: Running
        extendedResourceClaimStatus:
          resourceClaimName: train-0-extended-resources-sn26x
          requestMappings:
          - {containerName: a, requestName: container-0-request-0, resourceName: nvidia.com/gpu}
          - {containerName: b, requestName: container-1-request-0, resourceName: nvidia.com/gpu}
          - {containerName: b, requestName: container-1-request-1, resourceName: nvidia.com/mig-1g.10gb}
          - {containerName: b, requestName: container-1-request-2, resourceName: nvidia.com/a100}
      """;

  private static final String TWO_CONTAINERS =
      """
      containers:
      - {name: a, resources: {limits: {nvidia.com/gpu: 1}}}
      - {name: b, resources: {limits: {nvidia.com/gpu: 2, nvidia.com/mig-1g.10gb: 1, nvidia.com/a100: 1}}}
      """
          .indent(2);

  @Test
  void knowsWhatTheSchedulerGaveByAClaim() {
    String spec = METADATA + "}\nspec:\n  nodeName: node-a\n" + TWO_CONTAINERS;
    Accelerators requested =
        new Accelerators(3, Map.of("1g.10gb", 1), false).withSeveral(Set.of("nvidia.com/gpu"));

    assertThat(read(spec).accelerators()).isEqualTo(requested);
    assertThat(read(spec + BY_CLAIM.strip()).accelerators())
        .isEqualTo(
            requested.and(
                Accelerators.Claimed.NOTHING,
                Map.of("nvidia.com/gpu", 3, "nvidia.com/mig-1g.10gb", 1)));
    assertThat(read(spec + BY_CLAIM.strip()).accelerators().devices()).isEqualTo(4);
  }

  /** It got no node in the end. */
  @Test
  void ignoresTheClaimOfAnEarlierAttempt() {
    assertThat(
            read(METADATA + "}\nspec:\n" + TWO_CONTAINERS + BY_CLAIM.strip())
                .accelerators()
                .requestedByClaims())
        .isEmpty();
  }

  @Test
  void isOwned_evenByAnOwnerThatDoesNotSayThatItControls() {
    assertThat(
            read(METADATA
                    + ", ownerReferences: [{apiVersion: v1, kind: Pod, name: driver, uid: u9}]}\n"
                    + "spec: {"
                    + ONE_GPU
                    + "}")
                .owner())
        .contains(new Owner("v1", "Pod", "driver", "u9"));
  }

  private static Pod requesting(String resource) {
    return parse(
        METADATA + "}\nspec: {containers: [{resources: {limits: {" + resource + ": 1}}}]}");
  }

  @ParameterizedTest(name = "{0} constrains further: {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: []}}}      | false
          affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: zone, operator: Near, values: [a]}]}]}}} | true
          affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchFields: [{key: spec.x, operator: In, values: [a]}]}]}}} | true
          affinity: {nodeAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1}]}}               | false
          affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: zone}]}}         | false
          affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: zone, namespaceSelector: {matchLabels: {team: a}}}]}} | false
          affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: zone, namespaceSelector: {matchExpressions: [{key: team, operator: Near}]}}]}} | true
          affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: host}]}}     | false
          affinity: {podAntiAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1}]}}            | false
          topologySpreadConstraints: [{topologyKey: zone, whenUnsatisfiable: DoNotSchedule}]                       | false
          topologySpreadConstraints: [{whenUnsatisfiable: ScheduleAnyway}]                                         | false
          resourceClaims: [{name: nic}]                                                                            | false
          nodeSelector: {zone: a}                                                                                  | false
          """)
  void knowsWhichRulesItDoesNotRead(String spec, boolean constrained) {
    assertThat(read(METADATA + "}\nspec: {" + spec + "}").placement().constrainedFurther())
        .isEqualTo(constrained);
  }

  @Test
  void readsRequiredNodeAffinity() {
    String affinity =
        """
        affinity:
          nodeAffinity:
            requiredDuringSchedulingIgnoredDuringExecution:
              nodeSelectorTerms:
              - matchExpressions:
                - {key: zone, operator: In, values: [a, b]}
                - {key: cores, operator: Gt, values: ['8']}
              - matchFields: [{key: metadata.name, operator: NotIn, values: [node-1]}]
        """
            .indent(2);

    assertThat(read(METADATA + "}\nspec:\n" + affinity).placement())
        .isEqualTo(
            new Placement(
                Map.of(),
                List.of(),
                Optional.of(
                    List.of(
                        new NodeTerm(
                            List.of(
                                new LabelRequirement("zone", "In", Set.of("a", "b")),
                                new LabelRequirement("cores", "Gt", Set.of("8"))),
                            List.of()),
                        new NodeTerm(
                            List.of(),
                            List.of(
                                new LabelRequirement(
                                    "metadata.name", "NotIn", Set.of("node-1")))))),
                false));
  }

  @Test
  void keepsInBriefWhatRunsBesideGpuPods() {
    String labeled =
        "metadata: {namespace: ml, name: p, uid: u, resourceVersion: '1', labels: {a: b}";
    String running =
        "}\nspec: {nodeName: node-1, containers: [{resources: {requests: {cpu: 250m}}}]}\nstatus: {phase: Running}";

    assertThat(READING.watched(parse(labeled + running)))
        .contains(
            new OtherPod(
                new Neighbor("u", "ml", Map.of("a", "b"), Optional.of("node-1"), PodRules.NONE),
                Map.of("cpu", 250L, "pods", 1_000L)));
    assertThat(
            READING.watched(
                parse(labeled + ", deletionTimestamp: '2026-01-01T00:00:00Z'" + running)))
        .isEmpty();
    assertThat(READING.watched(parse(labeled + "}\nspec: {}\nstatus: {phase: Pending}"))).isEmpty();
    assertThat(
            READING.watched(
                parse(labeled + "}\nspec: {nodeName: node-1}\nstatus: {phase: Succeeded}")))
        .isEmpty();
    assertThat(READING.watched(requesting("nvidia.com/mig-1g.10gb")))
        .get()
        .isInstanceOf(KnownPod.class);
  }

  private static PodView pending(String reason, String message) {
    return read(
        METADATA
            + "}\nspec: {"
            + ONE_GPU
            + "}\n"
            + "status: {phase: Pending, conditions: [{type: PodScheduled, status: 'False', reason: "
            + reason
            + ", message: '"
            + message
            + "', lastTransitionTime: '2026-01-01T00:01:00Z'}]}");
  }

  private static PodView read(String yaml) {
    return READING.of(parse(yaml)).view();
  }

  private static Pod parse(String yaml) {
    return Yaml.read(yaml, Pod.class);
  }
}
