package io.gpureclaimer.exporter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.gpureclaimer.common.kubernetes.FakeApiServer;
import io.gpureclaimer.deviceplugin.kubelet.FakeKubelet;
import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import v1.Api.ContainerDevices;
import v1.Api.ContainerResources;
import v1.Api.ListPodResourcesResponse;
import v1.Api.PodResources;

/** The program as it runs on a node, with simulated GPUs and a fake kubelet, faults included. */
@Timeout(120)
class KubeletIT {
  /** However slow the machine is, no GPU counts as hung. */
  private static final String SAMPLING =
      "sampling: {interval: 100ms, turn-deadline: 20s, stale-after: 3m}\n";

  private static final Pattern UUID = Pattern.compile("gpu=\"(\\d)\",UUID=\"(GPU-[^\"]+)\"");

  private static final String CLAIMS = "/apis/resource.k8s.io/v1/namespaces/ml/resourceclaims/";

  private final AgentProcess agent = new AgentProcess();

  @TempDir Path folder;
  private FakeKubelet kubelet;

  @BeforeEach
  void prepare() {
    kubelet = new FakeKubelet(folder.resolve("kubelet.sock"));
  }

  @AfterEach
  void stop() throws InterruptedException {
    agent.stop();
    kubelet.close();
  }

  /** With the default pause between two queries. */
  @Test
  void labelsAppearWithAPod_andGoAwayWithIt() throws Exception {
    kubelet.start();
    start("refresh-after: 5s");
    String uuid = uuidOf(0);
    kubelet.run(FakeKubelet.pod("ml", "train-0", uuid));

    String scrape = agent.awaitScrape(text -> text.contains("gpu_pod_observed_until"));

    assertThat(seriesOf(scrape, "DCGM_FI_DEV_GPU_UTIL"))
        .filteredOn(
            line ->
                line.contains("UUID=\"" + uuid + "\"")
                    && line.contains(",container=\"main\",namespace=\"ml\",pod=\"train-0\"}"))
        .hasSize(1);
    assertThat(seriesOf(scrape, "gpu_pod_observed_since_timestamp_seconds"))
        .singleElement()
        .asString()
        .startsWith(
            "gpu_pod_observed_since_timestamp_seconds{UUID=\""
                + uuid
                + "\",gpu=\"0\",hostname=\"node-a\",container=\"main\",namespace=\"ml\","
                + "pod=\"train-0\"} ");
    kubelet.run();
    assertThat(agent.awaitScrape(text -> !text.contains("gpu_pod_")))
        .contains(
            "gpu_exporter_pod_resources_up 1.0",
            "gpu_exporter_process_attribution_up 0.0",
            "DCGM_FI_DEV_GPU_UTIL{")
        .doesNotContain("train-0");
  }

  @Test
  void aSharedGpuHasALedgerForEachPod_andPodLabelsOfNone() throws Exception {
    kubelet.start();
    start("refresh-after: 200ms");
    String uuid = uuidOf(0);
    kubelet.run(FakeKubelet.pod("ml", "a", uuid + "::0"), FakeKubelet.pod("ml", "b", uuid + "::1"));

    String scrape =
        agent.awaitScrape(
            text -> seriesOf(text, "gpu_pod_observed_until_timestamp_seconds").size() == 2);

    assertThat(seriesOf(scrape, "DCGM_FI_DEV_GPU_UTIL")).noneMatch(line -> line.contains("pod="));
  }

  @Test
  void isNotReady_untilTheKubeletAnswersForTheFirstTime() throws Exception {
    start("refresh-after: 200ms");
    agent.awaitScrape(text -> text.contains("gpu_exporter_pod_resources_up 0.0"));

    var ready = agent.get("/ready");
    assertThat(ready.statusCode()).isEqualTo(503);
    assertThat(ready.body())
        .isEqualTo(
            "the kubelet has not answered yet: "
                + folder.resolve("kubelet.sock")
                + ": UNAVAILABLE: No such file or directory\n");
    assertThat(agent.scrape()).contains("DCGM_FI_DEV_GPU_UTIL{");

    kubelet.start();
    await().until(() -> agent.get("/ready").statusCode() == 200);
    kubelet.stop();
    agent.awaitScrape(text -> text.contains("gpu_exporter_pod_resources_up 0.0"));
    assertThat(agent.get("/ready").statusCode()).isEqualTo(200);
  }

  @Test
  void theLastAnswerStands_whileTheKubeletRestarts() throws Exception {
    kubelet.start();
    start("refresh-after: 200ms");
    kubelet.run(FakeKubelet.pod("ml", "train-0", uuidOf(0)));
    String since = sinceOf(agent.awaitScrape(text -> text.contains("gpu_pod_observed_since")));

    kubelet.stop();
    String down = agent.awaitScrape(text -> text.contains("gpu_exporter_pod_resources_up 0.0"));
    assertThat(sinceOf(down)).isEqualTo(since);

    kubelet.start();
    String up = agent.awaitScrape(text -> text.contains("gpu_exporter_pod_resources_up 1.0"));
    assertThat(sinceOf(up)).isEqualTo(since);
  }

  @Test
  void noHolderIsKnown_whenTheKubeletIsSilentForTooLong() throws Exception {
    kubelet.start();
    start("refresh-after: 200ms, stale-after: 1s, deadline: 200ms");
    kubelet.run(FakeKubelet.pod("ml", "train-0", uuidOf(0)));
    String since = sinceOf(agent.awaitScrape(text -> text.contains("gpu_pod_observed_since")));

    kubelet.hang();
    assertThat(agent.awaitScrape(text -> !text.contains("gpu_pod_")))
        .contains(
            "gpu_exporter_pod_resources_up 0.0",
            "gpu_exporter_pod_resources_failures_total{code=\"deadline_exceeded\",}")
        .doesNotContain("train-0");

    kubelet.run(FakeKubelet.pod("ml", "train-0", uuidOf(0)));
    assertThat(sinceOf(agent.awaitScrape(text -> text.contains("gpu_pod_observed_since"))))
        .as("a gap in the observation restarts it")
        .isNotEqualTo(since);
  }

  @Test
  void passesGoOn_whileTheKubeletHangs() throws Exception {
    kubelet.hang();
    kubelet.start();
    start("refresh-after: 200ms, deadline: 60s, stale-after: 3m");
    double passes = passes(agent.awaitScrape(text -> text.contains("DCGM_FI_DEV_GPU_UTIL{")));

    agent.awaitScrape(text -> passes(text) > passes + 10);
    assertThat(kubelet.questions()).isEqualTo(1);
  }

  @Test
  void saysOnce_whatIsWrong() throws Exception {
    kubelet.refuse(Status.UNIMPLEMENTED);
    kubelet.start();
    start("refresh-after: 200ms");

    await().until(() -> kubelet.questions() > 4);
    agent.awaitScrape(
        text ->
            text.contains("gpu_exporter_pod_resources_failures_total{code=\"unimplemented\",}"));
    assertThat(agent.log())
        .filteredOn(line -> line.contains("PodResourcesCache"))
        .singleElement()
        .asString()
        .endsWith(
            "the kubelet does not respond: it is older than 1.20 and does not offer pod-resources"
                + " v1; pods of GPUs are unknown");
    assertThat(agent.log())
        .noneMatch(line -> line.contains("io.grpc") || line.contains("SO_KEEPALIVE"));
  }

  @Test
  void livesOnInLittleMemory_whenTheAnswerIsAsLargeAsAllowed() throws Exception {
    kubelet.answer(answerOf(15 * 1024 * 1024));
    kubelet.start();
    start("refresh-after: 200ms");

    agent.awaitScrape(text -> text.contains("gpu_exporter_pod_resources_up 1.0"));
    int questions = kubelet.questions();
    await().atMost(Duration.ofMinutes(1)).until(() -> kubelet.questions() > questions + 5);
    assertThat(agent.isAlive()).isTrue();
    assertThat(agent.scrape()).contains("DCGM_FI_DEV_GPU_UTIL{");
  }

  @Test
  void theLedgerHasTheUid_whenTheApiServerReportsIt() throws Exception {
    kubelet.start();
    try (var server = new FakeApiServer()) {
      String old = create(server, "train-0");
      start(
          "refresh-after: 200ms, pod-uids: true", AgentProcess.askingAt(server.address(), folder));
      kubelet.run(FakeKubelet.pod("ml", "train-0", uuidOf(0)));

      String scrape =
          agent.awaitScrape(text -> text.contains("pod=\"train-0\",pod_uid=\"" + old + "\"}"));
      assertThat(scrape).contains("gpu_exporter_pod_uids_up 1.0");

      server.admin().pods().inNamespace("ml").withName("train-0").withGracePeriod(0).delete();
      String successor = create(server, "train-0");
      assertThat(
              agent.awaitScrape(
                  text -> text.contains("pod=\"train-0\",pod_uid=\"" + successor + "\"}")))
          .doesNotContain(old);
    }
  }

  @Test
  void holdersGoWithoutUid_whenTheApiServerRefuses() throws Exception {
    kubelet.start();
    try (var server = new FakeApiServer()) {
      server.force(
          "GET",
          "/api/v1/pods?fieldSelector=spec.nodeName%3Dnode-a&resourceVersion=0",
          403,
          "pods is forbidden");
      start(
          "refresh-after: 200ms, pod-uids: true", AgentProcess.askingAt(server.address(), folder));
      kubelet.run(FakeKubelet.pod("ml", "train-0", uuidOf(0)));

      String scrape = agent.awaitScrape(text -> text.contains("gpu_pod_observed_since"));
      assertThat(scrape).contains("gpu_exporter_pod_uids_up 0.0").doesNotContain("pod_uid=");
      int questions = kubelet.questions();
      await().until(() -> kubelet.questions() > questions + 10);
      assertThat(agent.log())
          .filteredOn(line -> line.contains(" WARN ") || line.contains(" ERROR "))
          .singleElement()
          .asString()
          .contains("NodeWatch - the API server does not report the pods on this node")
          .contains("pods is forbidden");
    }
  }

  @Test
  void eachShareHasSeriesOfItsOwn_withTheLabelsOfItsPod() throws Exception {
    kubelet.start();
    try (var server = new FakeApiServer()) {
      String uid = create(server, "train-0");
      create(server, "train-1");
      start(
          "refresh-after: 200ms, pod-uids: true, pod-labels: true, virtual-gpus: true,"
              + " pod-label-allow-list: ['/node$'], proc-folder: "
              + folder,
          AgentProcess.askingAt(server.address(), folder));
      String gpu = uuidOf(0);
      kubelet.run(
          FakeKubelet.pod("ml", "train-0", gpu + "::0"),
          FakeKubelet.pod("ml", "train-1", gpu + "::1"));

      String labels = "fake_api_server_node=\"node-a\",container=\"main\",namespace=\"ml\",";
      String first = labels + "pod=\"train-0\",pod_uid=\"" + uid + "\",vgpu=\"0\"}";
      String scrape = agent.awaitScrape(text -> text.contains(first));
      assertThat(scrape.lines().filter(line -> line.startsWith("DCGM_FI_DEV_GPU_TEMP{gpu=\"0\"")))
          .hasSize(2);
      assertThat(scrape.lines().filter(line -> line.startsWith("DCGM_FI_DEV_GPU_UTIL{gpu=\"0\"")))
          .singleElement()
          .asString()
          .doesNotContain("pod=");
      assertThat(scrape).contains("gpu_exporter_dropped_pod_labels 0.0");
    }
  }

  @Test
  void reportsWhatEachContainerUsesOfASharedGpu() throws Exception {
    kubelet.start();
    Path script = folder.resolve("script.yml");
    Files.writeString(
        script,
        """
        - gpu: 0
          utilization: 60
          processes:
          - {pid: 4711, memory-mib: 2048, sm: 30, kind: compute}
          - {pid: 4712, memory-mib: 512, sm: 5, kind: mps}
        """);
    try (var server = new FakeApiServer()) {
      String first = create(server, "train-0");
      String second = create(server, "train-1");
      Path proc = folder.resolve("proc");
      write(proc, "2/comm", "kthreadd\n");
      write(proc, "4711/cgroup", "0::/kubepods/pod" + first + "/" + "ab".repeat(32) + "\n");
      write(proc, "4712/cgroup", "0::/kubepods/pod" + second + "/" + "cd".repeat(32) + "\n");
      start(
          "refresh-after: 200ms, pod-uids: true, proc-folder: " + proc,
          AgentProcess.askingAt(server.address(), folder)
              + "simulation: {script: "
              + script
              + "}\n");
      String gpu = uuidOf(0);
      kubelet.run(
          FakeKubelet.pod("ml", "train-0", gpu + "::0"),
          FakeKubelet.pod("ml", "train-1", gpu + "::1"));

      String scrape =
          agent.awaitScrape(text -> seriesOf(text, "gpu_pod_sm_utilization_ratio").size() == 2);
      String labels =
          "{UUID=\""
              + gpu
              + "\",gpu=\"0\",hostname=\"node-a\",container=\"main\",namespace=\"ml\",";
      String train0 = labels + "pod=\"train-0\",pod_uid=\"" + first + "\"} ";
      String train1 = labels + "pod=\"train-1\",pod_uid=\"" + second + "\"} ";
      assertThat(scrape)
          .contains(
              "gpu_pod_sm_utilization_ratio" + train0 + "0.300000\n",
              "gpu_pod_sm_utilization_ratio" + train1 + "0.050000\n",
              "gpu_pod_memory_used_bytes" + train0 + (2048L << 20) + "\n",
              "gpu_pod_memory_used_bytes" + train1 + (512L << 20) + "\n",
              "gpu_exporter_process_attribution_up 1.0");

      Files.delete(proc.resolve("2/comm"));
      // A scrape may show the values of one pass and the state of the next.
      agent.awaitScrape(
          text ->
              text.contains("gpu_exporter_process_attribution_up 0.0")
                  && !text.contains("gpu_pod_sm_utilization_ratio")
                  && !text.contains("gpu_pod_memory_used_bytes{"));
    }
  }

  @Test
  void aClaimedGpuBelongsToItsHolder_whenOtherPodsObserveIt() throws Exception {
    kubelet.start();
    try (var server = new FakeApiServer()) {
      start("refresh-after: 200ms, dra: true", AgentProcess.askingAt(server.address(), folder));
      publish(server, uuidOf(0));
      claim(server, "gpus", false);
      claim(server, "all", true);
      kubelet.run(claimant("train-0", "gpus"), claimant("monitor", "all"));

      String scrape = agent.awaitScrape(KubeletIT::knowsAllClaims);
      assertThat(scrape)
          .contains(
              "gpu_exporter_resource_slices_up 1.0",
              "gpu_exporter_resource_claims_up 1.0",
              "gpu_pod_device_count{hostname=\"node-a\",namespace=\"ml\",pod=\"train-0\"} 1")
          .doesNotContain("monitor");
      assertThat(seriesOf(scrape, "DCGM_FI_DEV_GPU_UTIL"))
          .filteredOn(line -> line.contains("pod="))
          .singleElement()
          .asString()
          .contains("pod=\"train-0\"", "dra_claim_name=\"gpus\"");
    }
  }

  @Test
  void claimsGiveNoHolder_whileTheApiServerDoesNotReportThem() throws Exception {
    kubelet.start();
    try (var server = new FakeApiServer()) {
      for (String name : List.of("gpus", "all")) {
        server.force("GET", CLAIMS + name, 403, "resourceclaims is forbidden");
      }
      start("refresh-after: 200ms, dra: true", AgentProcess.askingAt(server.address(), folder));
      publish(server, uuidOf(0));
      claim(server, "gpus", false);
      claim(server, "all", true);
      kubelet.run(claimant("train-0", "gpus"), claimant("monitor", "all"));

      String refused =
          agent.awaitScrape(text -> text.contains("gpu_exporter_resource_claims_up 0.0"));
      assertThat(refused)
          .contains(
              "gpu_exporter_resource_slices_up 1.0",
              "gpu_exporter_pod_resources_unmapped_devices 2.0")
          .doesNotContain("gpu_pod_observed_since");
      assertThat(seriesOf(refused, "DCGM_FI_DEV_GPU_UTIL"))
          .noneMatch(line -> line.contains("pod="));

      server.relent("GET", CLAIMS + "gpus");
      server.relent("GET", CLAIMS + "all");
      assertThat(agent.awaitScrape(KubeletIT::knowsAllClaims))
          .contains("gpu_exporter_resource_claims_up 1.0")
          .doesNotContain("monitor");
      assertThat(agent.log())
          .filteredOn(line -> line.contains(" WARN ") || line.contains(" ERROR "))
          .singleElement()
          .asString()
          .contains("ClaimFetcher - the API server does not return resource claims")
          .contains("resourceclaims is forbidden");
    }
  }

  private static boolean knowsAllClaims(String scrape) {
    return scrape.contains("gpu_pod_observed_since")
        && scrape.contains("gpu_exporter_pod_resources_unmapped_devices 0.0");
  }

  /** What a driver of dynamic resource allocation does. */
  private static void publish(FakeApiServer server, String uuid) {
    create(
        server,
        "ResourceSlice",
        "{name: slice, labels: {" + FakeApiServer.NODE_LABEL + ": node-a}}",
        "spec: {driver: gpu.nvidia.com, nodeName: node-a, pool: {name: node-a, generation: 1,"
            + " resourceSliceCount: 1}, devices: [{name: gpu-0, attributes: {uuid: {string: "
            + uuid
            + "}}}]}");
  }

  /** A claim as the scheduler has left it. */
  private static void claim(FakeApiServer server, String name, boolean adminAccess) {
    create(
        server,
        "ResourceClaim",
        "{namespace: ml, name: " + name + "}",
        "status: {allocation: {devices: {results: [{request: gpu, driver: gpu.nvidia.com,"
            + " pool: node-a, device: gpu-0, adminAccess: "
            + adminAccess
            + "}]}}}");
  }

  private static void create(FakeApiServer server, String kind, String metadata, String rest) {
    var object =
        Serialization.unmarshal(
            "apiVersion: resource.k8s.io/v1\nkind: "
                + kind
                + "\nmetadata: "
                + metadata
                + "\n"
                + rest,
            GenericKubernetesResource.class);
    server.admin().resource(object).create();
  }

  private static PodResources claimant(String pod, String claim) {
    var container =
        ContainerResources.newBuilder()
            .setName("main")
            .addDynamicResources(
                FakeKubelet.claim("ml", claim, "gpu.nvidia.com", "node-a", "gpu-0"));
    return FakeKubelet.pod("ml", pod).toBuilder()
        .clearContainers()
        .addContainers(container)
        .build();
  }

  private static void write(Path proc, String name, String text) throws IOException {
    Path file = proc.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private static String create(FakeApiServer server, String name) {
    var pod =
        new PodBuilder()
            .withNewMetadata()
            .withNamespace("ml")
            .withName(name)
            .addToLabels(FakeApiServer.NODE_LABEL, "node-a")
            .endMetadata()
            .withNewStatus()
            .withPhase("Running")
            .endStatus()
            .build();
    return server.admin().resource(pod).create().getMetadata().getUid();
  }

  private void start(String attribution) throws IOException, InterruptedException {
    start(attribution, "");
  }

  private void start(String attribution, String more) throws IOException, InterruptedException {
    agent.start(
        folder,
        SAMPLING + "attribution: {" + attribution + "}\n" + more,
        "--simulate=t4x4",
        "-k",
        "--pod-resources-kubelet-socket=" + folder.resolve("kubelet.sock"));
    agent.awaitScrape(text -> text.contains("DCGM_FI_DEV_GPU_UTIL{"));
  }

  private String uuidOf(int gpu) throws IOException, InterruptedException {
    return UUID.matcher(agent.scrape())
        .results()
        .filter(found -> found.group(1).equals(Integer.toString(gpu)))
        .map(found -> found.group(2))
        .findFirst()
        .orElseThrow();
  }

  private static String sinceOf(String scrape) {
    return seriesOf(scrape, "gpu_pod_observed_since_timestamp_seconds").getFirst();
  }

  private static List<String> seriesOf(String scrape, String family) {
    return scrape.lines().filter(line -> line.startsWith(family + "{")).toList();
  }

  private static double passes(String scrape) {
    return scrape
        .lines()
        .filter(line -> line.startsWith("gpu_exporter_passes_total{outcome=\"ok\",} "))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  /** A node full of pods that hold devices of others. */
  private static ListPodResourcesResponse answerOf(int bytes) {
    var devices = ContainerDevices.newBuilder().setResourceName("example.com/port");
    for (int number = 0; number < 1000; number++) {
      devices.addDeviceIds("port-" + number + "-" + "x".repeat(32));
    }
    var pod =
        FakeKubelet.pod("net", "router").toBuilder()
            .addContainers(ContainerResources.newBuilder().setName("main").addDevices(devices))
            .build();
    return ListPodResourcesResponse.newBuilder()
        .addAllPodResources(Collections.nCopies(bytes / pod.getSerializedSize(), pod))
        .build();
  }
}
