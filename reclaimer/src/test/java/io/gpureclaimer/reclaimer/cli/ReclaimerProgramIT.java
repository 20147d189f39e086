package io.gpureclaimer.reclaimer.cli;

import static com.github.tomakehurst.wiremock.client.WireMock.get;
import static com.github.tomakehurst.wiremock.client.WireMock.ok;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.core.WireMockConfiguration;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodConditionBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.gpureclaimer.common.kubernetes.FakeApiServer;
import io.gpureclaimer.common.program.Service;
import io.gpureclaimer.reclaimer.audit.CycleReport;
import io.gpureclaimer.reclaimer.audit.CycleReport.LatestReport;
import io.gpureclaimer.reclaimer.cluster.ActionResult;
import io.gpureclaimer.reclaimer.evidence.ExposedSeries;
import io.gpureclaimer.reclaimer.execution.PlanExecutor.StepResult;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole program against an API server and an agent that speak over HTTP. */
class ReclaimerProgramIT {
  private static final String NODE = "node-1";
  private static final String POD = "train-0";
  private static final String MODE = "gpu-reclaimer.io/mode";

  @TempDir Path folder;

  private final FakeApiServer api = new FakeApiServer();
  private final WireMockServer agent =
      new WireMockServer(WireMockConfiguration.options().dynamicPort());
  private Path kubeconfig = Path.of("kubeconfig");
  private int callsOfTheScene;

  @BeforeEach
  void setTheScene() throws IOException {
    agent.start();
    api.serve("gpu-reclaimer.io", "v1alpha1", "Reclamation", "reclamations");
    var surroundings = new CommandEnvironment(api);
    kubeconfig = surroundings.kubeconfig(folder);
    surroundings.addNode(NODE);
  }

  @AfterEach
  void tearDown() {
    agent.stop();
    api.close();
  }

  @Test
  void printsThePlan_andWritesNothing() {
    namespace("always");
    shows(pod(), Duration.ofMinutes(230));

    Console console = Console.of(arguments("plan"));

    assertThat(console.err()).isEmpty();
    assertThat(console.exitCode()).isZero();
    assertThat(console.out().replaceAll("20[0-9T:-]+Z", "SOME-TIME"))
        .isEqualTo(
            """
            NAMESPACE  WORKLOAD     GPUS  VERDICT  REASON
            research   Pod/train-0  1     to-warn  idle for 3h 50m; warning due, action at SOME-TIME or later

            STEP  WORKLOAD              REASON
            warn  Pod research/train-0  idle for 3h 50m; warning due, action at SOME-TIME or later

            REMARKS
              evidence in the form direct: what the agents recorded, as they say themselves
            """);
    assertThat(writes()).isEmpty();
  }

  @Test
  void saysNothingOfRecords_whenTheClusterHasNone() {
    api.force(
        "GET",
        "/apis/gpu-reclaimer.io/v1alpha1",
        404,
        "the server could not find the requested resource");
    namespace("always");
    shows(pod(), Duration.ofMinutes(230));

    Console console = Console.of(arguments("plan"));

    assertThat(console.err()).isEmpty();
    assertThat(console.exitCode()).isZero();
  }

  @Test
  void saysThatRecordsCannotBeRead_whenTheRightIsMissing() {
    api.force("GET", "/apis/gpu-reclaimer.io/v1alpha1", 403, "reclamations is forbidden");
    namespace("always");
    shows(pod(), Duration.ofMinutes(230));

    Console console = Console.of(arguments("plan"));

    assertThat(console.err())
        .contains("so no owner is acted on")
        .contains("reclamations is forbidden");
  }

  @Test
  void explainsAPod() {
    namespace("report");
    shows(pod(), Duration.ofHours(5));

    Console console = Console.of(arguments("explain", "research/train-0"));

    assertThat(console.exitCode()).isZero();
    assertThat(console.out())
        .startsWith(
            """
            Pod research/train-0
              verdict      reported: idle for 5h, over the limit of 4h; only reported: the mode is report (namespace research)
              next         nothing, as long as this is so
              action       evict pod research/train-0
              restore      The reclaimer cannot restore an evicted pod. To get pod research/train-0 back, create it again from its manifest.

            RULES
              ok           the annotations of its namespace are known
            """)
        .contains(
            """
              ok           every annotation that concerns it is understood
              stop         idle for 5h, over the limit of 4h; only reported: the mode is report (namespace research)
              -            not checked whether it is outside of protected hours
            """)
        .contains(
            """

            POLICY
              mode                 report (namespace research)
              class                other (by default)
              idle-after           4h (by class other)
              warn-before          15m (by default)
            """)
        .contains(
            """

            EVIDENCE
              pod          research/train-0: idle for 5h, since \
            """);
    assertThat(writes()).isEmpty();
  }

  @Test
  void saysThatThereIsNoSuchPod() {
    namespace("report");
    shows(pod(), Duration.ofHours(5));

    assertThat(Console.of(arguments("explain", "research/missing")))
        .isEqualTo(
            new Console(
                1, "", "gpu-reclaimer: pod research/missing requests no GPU or does not exist.\n"));
  }

  @Test
  void warnsWithTheLease_theEventFirst() {
    namespace("always");
    shows(pod(), Duration.ofMinutes(230));

    CycleReport report = runUntilItActs(Map.of());

    assertThat(report.results())
        .singleElement()
        .extracting(StepResult::result)
        .isInstanceOf(ActionResult.Done.class);
    assertThat(writes())
        .filteredOn(call -> !call.contains("/leases"))
        .containsExactly(
            "POST /api/v1/namespaces/research/events",
            "PATCH /api/v1/namespaces/research/pods/train-0");
    assertThat(writes()).anyMatch(call -> call.contains("/leases"));
  }

  @Test
  void writesNothingInADryRun_notEvenTheLease() {
    namespace("always");
    shows(pod(), Duration.ofMinutes(230));

    CycleReport report = runUntilItActs(Map.of("reclaimer.dry-run", "true"));

    assertThat(report.results())
        .singleElement()
        .extracting(StepResult::result)
        .isInstanceOf(ActionResult.DryRun.class);
    assertThat(writes()).isEmpty();
  }

  private CycleReport runUntilItActs(Map<String, Object> more) {
    var properties = new HashMap<String, Object>();
    properties.put("micronaut.server.host", "127.0.0.1");
    properties.put("micronaut.server.port", 0);
    properties.put("reclaimer.schedule", "true");
    properties.put("reclaimer.interval", "1s");
    properties.put("breaker.settle-after-start", "0s");
    properties.put("kubernetes.kubeconfig", kubeconfig.toString());
    properties.put("direct.agents", List.of(agent.baseUrl() + "/metrics"));
    properties.putAll(more);
    if (!(Service.start("gpu-reclaimer", properties) instanceof Service.Running running)) {
      throw new AssertionError("it does not run");
    }
    try (running) {
      var latest = running.part(LatestReport.class);
      return await()
          .atMost(Duration.ofSeconds(20))
          .until(
              () -> latest.get().stream().filter(report -> !report.results().isEmpty()).toList(),
              reports -> !reports.isEmpty())
          .getFirst();
    }
  }

  private String[] arguments(String... command) {
    return Stream.concat(
            Stream.of(command),
            Stream.of("--kubeconfig=" + kubeconfig, "--agents=" + agent.baseUrl() + "/metrics"))
        .toArray(String[]::new);
  }

  /** Every call that is not a question, and not one by which the scene was set. */
  private List<String> writes() {
    return api.calls().stream()
        .skip(callsOfTheScene)
        .filter(call -> !call.startsWith("GET "))
        .toList();
  }

  private void namespace(String mode) {
    new CommandEnvironment(api).addNamespace("research", Map.of(MODE, mode));
  }

  private Pod pod() {
    return api.admin()
        .resource(
            new PodBuilder()
                .withNewMetadata()
                .withNamespace("research")
                .withName(POD)
                .endMetadata()
                .withNewSpec()
                .withNodeName(NODE)
                .addNewContainer()
                .withName("main")
                .withNewResources()
                .addToLimits("nvidia.com/gpu", new Quantity("1"))
                .endResources()
                .endContainer()
                .endSpec()
                .withNewStatus()
                .withPhase("Running")
                .withConditions(
                    new PodConditionBuilder()
                        .withType("Ready")
                        .withStatus("True")
                        .withLastTransitionTime("2026-01-01T00:00:00Z")
                        .build())
                .endStatus()
                .build())
        .create();
  }

  /** What the agent says of the pod's GPU from now on. */
  private void shows(Pod pod, Duration idleFor) {
    String uid = pod.getMetadata().getUid();
    Instant now = InstantSource.system().instant();
    String text =
        ExposedSeries.text(
            List.of(
                mark(ExposedSeries.LAST_ACTIVE, uid, now.minus(idleFor)),
                mark(ExposedSeries.OBSERVED_SINCE, uid, now.minus(Duration.ofDays(1))),
                mark(ExposedSeries.OBSERVED_UNTIL, uid, now)));
    agent.stubFor(get("/metrics").willReturn(ok(text)));
    callsOfTheScene = api.calls().size();
  }

  private static ExposedSeries mark(String name, String uid, Instant at) {
    return ExposedSeries.of(name, uid, "GPU-0", (double) at.getEpochSecond());
  }
}
