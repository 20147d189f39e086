package io.gpureclaimer.verification.scenario.harness;

import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.authorization.v1.ResourceRule;
import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectRulesReviewBuilder;
import io.fabric8.kubernetes.api.model.authorization.v1.SubjectRulesReviewStatus;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.gpureclaimer.verification.deploy.Chart;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The agents as people install them: the shipped manifest, over a simulated driver with four GPUs,
 * those that {@link TestCluster#gpus} allocates.
 */
public final class InstalledAgents {
  static final String NAMESPACE = "gpu-exporter";
  private static final String NAME = "gpu-exporter";
  private static final Map<String, String> SELECTOR = Map.of("app.kubernetes.io/name", NAME);
  private static final Duration START = Duration.ofSeconds(90);

  private final TestCluster cluster;

  private InstalledAgents(TestCluster cluster) {
    this.cluster = cluster;
  }

  /**
   * Applies what is shipped.
   *
   * @param script what each GPU does, as the exporter's {@code --simulate-script} has it
   */
  public static InstalledAgents apply(TestCluster cluster, String script) {
    return apply(cluster, script, Map.of());
  }

  /**
   * The same with more variables in their environment.
   *
   * @param more which, beside those of the manifest
   */
  public static InstalledAgents apply(
      TestCluster cluster, String script, Map<String, String> more) {
    cluster.apply(Manifest.shipped("00-namespaces.yaml"));
    cluster.apply(simulating(with(more, Manifest.shipped("exporter.yaml"))));
    return playing(cluster, script);
  }

  /**
   * Applies what the chart renders instead.
   *
   * @param values with names as in the shipped manifest, and a simulated driver with this script
   */
  public static InstalledAgents rendered(TestCluster cluster, Path values, String script) {
    cluster.apply(Manifest.shipped("00-namespaces.yaml"));
    Chart.objects(values).forEach(cluster::apply);
    return playing(cluster, script);
  }

  private static InstalledAgents playing(TestCluster cluster, String script) {
    write(cluster, script);
    return new InstalledAgents(cluster);
  }

  private static void write(TestCluster cluster, String script) {
    cluster.apply(
        Manifest.beside(InstalledAgents.class, "script.yaml")
            .with("namespace", NAMESPACE)
            .with("script", script.indent(4)));
  }

  /** Lets the GPUs do something else, and the kubelet notice it at once. */
  public void play(String script) {
    write(cluster, script);
    pods()
        .forEach(
            pod ->
                TestCluster.merge(
                    cluster.client().pods().resource(pod),
                    "{\"metadata\": {\"annotations\": {\"example.com/played\": \""
                        + script.hashCode()
                        + "\"}}}"));
  }

  private static Manifest with(Map<String, String> more, Manifest shipped) {
    return shipped.replacing(
        " env:\n",
        more.entrySet().stream()
            .map(entry -> "{name: " + entry.getKey() + ", value: \"" + entry.getValue() + "\"}")
            .map(variable -> "            - " + variable + "\n")
            .collect(Collectors.joining("", " env:\n", "")));
  }

  private static Manifest simulating(Manifest shipped) {
    return shipped
        .replacing(
            "env:\n",
            """
            env:
                        - {name: GPU_EXPORTER_SIMULATE, value: t4x4}
                        - {name: GPU_EXPORTER_SIMULATE_SCRIPT, value: /script/script.yaml}
            """)
        .replacing(
            "volumeMounts:\n",
            """
            volumeMounts:
                        - {name: script, mountPath: /script, readOnly: true}
            """)
        .replacing(
            "volumes:\n",
            """
            volumes:
                    - {name: script, configMap: {name: script}}
            """);
  }

  /** Waits until the agent of every node is ready. */
  public void awaitReady() {
    await("the agents are ready")
        .atMost(START)
        .until(
            () -> {
              List<Pod> pods = pods();
              return !pods.isEmpty() && pods.stream().allMatch(InstalledAgents::isReady);
            });
  }

  /** Takes all of them away, and waits until others are ready in their place. */
  public void restart() {
    List<String> before = uids();
    cluster.client().pods().inNamespace(NAMESPACE).withLabels(SELECTOR).delete();
    await("the agents are gone")
        .atMost(START)
        .until(() -> uids().stream().noneMatch(before::contains));
    awaitReady();
  }

  /** What their account may do in the cluster, beyond what every account may ask about itself. */
  public List<String> permissions() {
    Config config = Config.fromKubeconfig(cluster.kubeconfig(NAMESPACE, NAME));
    try (var account = new KubernetesClientBuilder().withConfig(config).build()) {
      SubjectRulesReviewStatus status =
          account
              .authorization()
              .v1()
              .selfSubjectRulesReview()
              .create(
                  new SelfSubjectRulesReviewBuilder()
                      .withNewSpec()
                      .withNamespace(NAMESPACE)
                      .endSpec()
                      .build())
              .getStatus();
      return status.getResourceRules().stream()
          .filter(rule -> rule.getApiGroups().stream().noneMatch(InstalledAgents::isAboutItself))
          .flatMap(InstalledAgents::verbs)
          .toList();
    }
  }

  private List<Pod> pods() {
    return cluster.client().pods().inNamespace(NAMESPACE).withLabels(SELECTOR).list().getItems();
  }

  private List<String> uids() {
    return pods().stream().map(pod -> pod.getMetadata().getUid()).toList();
  }

  private static boolean isReady(Pod pod) {
    return pod.getStatus().getConditions().stream()
        .anyMatch(
            condition ->
                "Ready".equals(condition.getType()) && "True".equals(condition.getStatus()));
  }

  private static boolean isAboutItself(String apiGroup) {
    return apiGroup.equals("authorization.k8s.io") || apiGroup.equals("authentication.k8s.io");
  }

  private static Stream<String> verbs(ResourceRule rule) {
    return rule.getVerbs().stream()
        .flatMap(verb -> rule.getResources().stream().map(resource -> verb + " " + resource));
  }
}
