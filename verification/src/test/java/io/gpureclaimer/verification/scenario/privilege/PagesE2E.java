package io.gpureclaimer.verification.scenario.privilege;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.gpureclaimer.common.vocabulary.Annotations;
import io.gpureclaimer.verification.deploy.Chart;
import io.gpureclaimer.verification.scenario.harness.Manifest;
import io.gpureclaimer.verification.scenario.harness.OnCluster;
import io.gpureclaimer.verification.scenario.harness.Replica;
import io.gpureclaimer.verification.scenario.harness.Replicas;
import io.gpureclaimer.verification.scenario.harness.ShortIntervals;
import io.gpureclaimer.verification.scenario.harness.StubPrometheus;
import io.gpureclaimer.verification.scenario.harness.TestCluster;
import io.gpureclaimer.verification.scenario.harness.TestNamespace;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * People with tokens of a real API server, who have the roles {@code view} or {@code edit} in one
 * namespace: what they see and change on the pages, with the rights that the chart gives to the
 * reclaimer.
 */
@OnCluster
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PagesE2E {
  private static final ShortIntervals PACE =
      new ShortIntervals(Duration.ofSeconds(2), Duration.ofSeconds(1));
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final Set<String> OF_THE_CHART =
      Set.of("gpu-reclaimer-pages", "gpu-reclaimer-writes");
  private static final int REFUSED_BY_POLICY = 422;

  private final TestCluster cluster;
  private final StubPrometheus prometheus;
  private final Replica replica;
  private final String reported;
  private final String reclaimed;

  PagesE2E(TestCluster cluster, Replicas replicas) {
    this.cluster = cluster;
    this.prometheus = replicas.prometheus();
    cluster.gpus(4);
    this.reported = namespaceOfPeople("report");
    this.reclaimed = namespaceOfPeople("always");
    this.replica = replicas.startAsShipped("reclaimer", prometheus, PACE, "web.pages=authorized");
    Chart.objects(Map.of("reclaimer.pages.readers", "authorized")).stream()
        .filter(object -> OF_THE_CHART.contains(object.getMetadata().getName()))
        .forEach((HasMetadata object) -> cluster.apply(object));
    replica.awaitReady();
  }

  @Test
  void showsOneNamespace_toWhoMayViewIt() {
    String token = token(reported, "viewer");

    HttpResponse<String> list = get("/ui/workloads", token);

    assertThat(list.statusCode()).isEqualTo(200);
    assertThat(list.body()).contains(reported, "Deployment/web").doesNotContain(reclaimed);
    assertThat(get(page(reported), token).statusCode()).isEqualTo(200);
    assertThat(get(page(reclaimed), token).statusCode()).isEqualTo(404);
    assertThat(get("/ui", token).body()).contains(reported).doesNotContain(reclaimed);
    assertThat(get("/plan", token).body()).doesNotContain(reclaimed);
  }

  @Test
  void showsNothing_withoutAValidToken() {
    String token = token(reported, "leaver");
    cluster.client().serviceAccounts().inNamespace(reported).withName("leaver").delete();

    assertThat(replica.get("/ui").statusCode()).isEqualTo(401);
    assertThat(get("/ui", token).statusCode()).isEqualTo(401);
    assertThat(get("/ui", token(reported, "viewer") + "x").statusCode()).isEqualTo(401);
  }

  @Test
  void keepsADeployment_onlyForUsersWhoMayEditIt() {
    awaitPolicy();

    HttpResponse<String> forbidden = keep(token(reported, "viewer"));
    assertThat(forbidden.statusCode()).isEqualTo(403);
    assertThat(forbidden.body()).contains("viewer may not change Deployment " + name() + ".");
    assertThat(annotations()).doesNotContainKey(Annotations.KEEP_UNTIL);

    HttpResponse<String> kept = keep(token(reported, "editor"));
    assertThat(kept.statusCode()).as(kept.body()).isEqualTo(200);
    assertThat(kept.body())
        .contains(
            "Deployment "
                + name()
                + " is kept until "
                + annotations().get(Annotations.KEEP_UNTIL)
                + ".");
  }

  @Test
  void restoresADeployment_onlyForUsersWhoMayEditIt() {
    cluster.awaitReady(reclaimed, 1, SOON).forEach(prometheus::showsIdle);
    await("the Deployment is stopped").atMost(SOON).until(() -> desired() == 0);
    await("the page shows it")
        .atMost(SOON)
        .untilAsserted(
            () ->
                assertThat(get(page(reclaimed), token(reclaimed, "editor")).body())
                    .contains(page(reclaimed) + "/restore"));

    HttpResponse<String> forbidden = restore(token(reclaimed, "viewer"));
    assertThat(forbidden.statusCode()).isEqualTo(403);
    assertThat(forbidden.body()).contains("viewer may not change Deployment");

    HttpResponse<String> accepted = restore(token(reclaimed, "editor"));
    assertThat(accepted.statusCode()).as(accepted.body()).isEqualTo(200);
    assertThat(accepted.body()).contains("is restored in the next cycle.");
    await("the Deployment is restored").atMost(SOON).until(() -> desired() == 1);
  }

  /** With the same right to patch, the account may not change what a Deployment runs. */
  private void awaitPolicy() {
    try (var reclaimer = ApiCaller.account(cluster, "gpu-reclaimer", "gpu-reclaimer")) {
      await("the policy")
          .atMost(SOON)
          .until(
              () ->
                  reclaimer
                          .patch(
                              "/apis/apps/v1/namespaces/" + reported + "/deployments/web",
                              "{\"spec\":{\"replicas\":0}}")
                          .code()
                      == REFUSED_BY_POLICY);
    }
    assertThat(deployment(reported).getSpec().getReplicas()).isEqualTo(1);
  }

  /** With a Deployment of one GPU, and people with and without the role {@code edit}. */
  private String namespaceOfPeople(String mode) {
    String namespace = TestNamespace.withMode(cluster, mode).namespace();
    cluster.apply(Manifest.beside(PagesE2E.class, "pages.yaml").with("namespace", namespace));
    return namespace;
  }

  private String token(String namespace, String account) {
    return cluster
        .client()
        .serviceAccounts()
        .inNamespace(namespace)
        .withName(account)
        .tokenRequest()
        .getStatus()
        .getToken();
  }

  private HttpResponse<String> get(String path, String token) {
    return replica.send(as(token), path);
  }

  private HttpResponse<String> keep(String token) {
    return replica.send(
        as(token)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString("{\"for\":\"4h\"}")),
        "/api/v1/workloads/" + reported + "/deployment/web/keep");
  }

  /** What the button of the page sends. */
  private HttpResponse<String> restore(String token) {
    return replica.send(
        as(token)
            .header("Content-Type", "application/x-www-form-urlencoded")
            .header("Sec-Fetch-Site", "same-origin")
            .POST(BodyPublishers.ofString("request=restore")),
        page(reclaimed) + "/restore");
  }

  private static HttpRequest.Builder as(String token) {
    return HttpRequest.newBuilder().header("Authorization", "Bearer " + token);
  }

  private static String page(String namespace) {
    return "/ui/workloads/" + namespace + "/deployment/web";
  }

  private String name() {
    return reported + "/web";
  }

  private Map<String, String> annotations() {
    return deployment(reported).getMetadata().getAnnotations();
  }

  private int desired() {
    return deployment(reclaimed).getSpec().getReplicas();
  }

  private Deployment deployment(String namespace) {
    return cluster.client().apps().deployments().inNamespace(namespace).withName("web").require();
  }
}
