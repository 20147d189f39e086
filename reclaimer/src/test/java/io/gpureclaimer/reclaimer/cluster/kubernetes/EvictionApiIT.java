package io.gpureclaimer.reclaimer.cluster.kubernetes;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.get;
import static com.github.tomakehurst.wiremock.client.WireMock.matchingJsonPath;
import static com.github.tomakehurst.wiremock.client.WireMock.okJson;
import static com.github.tomakehurst.wiremock.client.WireMock.post;
import static com.github.tomakehurst.wiremock.client.WireMock.postRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.urlEqualTo;
import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.options;
import static io.gpureclaimer.reclaimer.policy.PodDraft.pod;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import com.github.tomakehurst.wiremock.matching.RequestPatternBuilder;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.gpureclaimer.reclaimer.cluster.ActionResult;
import io.gpureclaimer.reclaimer.cluster.PodView;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What an API server answers that knows another version of evictions, or none. */
class EvictionApiIT {
  private static final String PATH = "/api/v1/namespaces/ml/pods/a/eviction";
  private static final PodView POD = pod("a").draw();

  private final WireMockServer server = new WireMockServer(options().dynamicPort());
  private KubernetesClient client;
  private EvictionApi evictions;

  @BeforeEach
  void start() {
    server.start();
    client =
        new KubernetesClientBuilder()
            .withConfig(
                new ConfigBuilder()
                    .withMasterUrl(server.baseUrl())
                    .withRequestRetryBackoffLimit(0)
                    .build())
            .build();
    evictions = new EvictionApi(new ApiServer(client));
  }

  @AfterEach
  void stop() {
    client.close();
    server.stop();
  }

  @Test
  void asksInTheNewestVersion_andForNothingElse() {
    answers("policy/v1", aResponse().withStatus(201).withBody("{}"));

    assertThat(evict()).isEqualTo(new ActionResult.Done());
    assertThat(server.getAllServeEvents()).hasSize(1);
  }

  @Test
  void asksInTheOlderVersion_whereThatIsTheOneServed_andKeepsToIt() {
    serves("v1beta1");
    answers(
        "policy/v1",
        refusal(
            400,
            "no kind \\\"Eviction\\\" is registered for version \\\"policy/v1\\\" in scheme"
                + " \\\"pkg/api/legacyscheme/scheme.go:30\\\""));
    answers("policy/v1beta1", aResponse().withStatus(201).withBody("{}"));

    assertThat(evict()).isEqualTo(new ActionResult.Done());
    assertThat(evict()).isEqualTo(new ActionResult.Done());

    server.verify(1, inVersion("policy/v1"));
    server.verify(2, inVersion("policy/v1beta1"));
  }

  @Test
  void takesAPodThatIsGoneForGone() {
    answers(
        "policy/v1",
        aResponse()
            .withStatus(404)
            .withBody(
                "{\"kind\":\"Status\",\"message\":\"pods \\\"a\\\" not"
                    + " found\",\"reason\":\"NotFound\","
                    + "\"details\":{\"name\":\"a\",\"kind\":\"pods\"},\"code\":404}"));

    assertThat(evict()).isEqualTo(ActionResult.podGone());
    assertThat(server.getAllServeEvents()).hasSize(1);
  }

  @Test
  void doesNotTakeAPathThatIsNotServedForAPodThatIsGone() {
    serves("v1");
    answers("policy/v1", aResponse().withStatus(404).withBody("404 page not found"));

    assertThat(evict()).isEqualTo(ActionResult.refused(404, "404 page not found"));
    answers("policy/v1", refusal(404, "the server could not find the requested resource"));
    assertThat(evict())
        .isEqualTo(ActionResult.refused(404, "the server could not find the requested resource"));
  }

  @Test
  void passesARefusalOn_whenNoOtherVersionIsServed() {
    serves("v1");
    answers("policy/v1", refusal(400, "name in URL does not match name in Eviction object"));

    assertThat(evict())
        .isEqualTo(ActionResult.refused(400, "name in URL does not match name in Eviction object"));
    server.verify(1, inVersion("policy/v1"));
  }

  private ActionResult evict() {
    return evictions.evict(PATH, POD, false);
  }

  private void serves(String version) {
    server.stubFor(
        get(urlEqualTo("/api/v1"))
            .willReturn(
                okJson(
                    "{\"kind\":\"APIResourceList\",\"groupVersion\":\"v1\",\"resources\":["
                        + "{\"name\":\"pods\",\"kind\":\"Pod\"},{\"name\":\"pods/eviction\","
                        + "\"group\":\"policy\",\"version\":\""
                        + version
                        + "\",\"kind\":\"Eviction\"}]}")));
  }

  private void answers(String version, ResponseDefinitionBuilder answer) {
    server.stubFor(
        post(urlEqualTo(PATH))
            .withRequestBody(matchingJsonPath("$[?(@.apiVersion == '" + version + "')]"))
            .willReturn(answer));
  }

  private static RequestPatternBuilder inVersion(String version) {
    return postRequestedFor(urlEqualTo(PATH))
        .withRequestBody(matchingJsonPath("$[?(@.apiVersion == '" + version + "')]"));
  }

  private static ResponseDefinitionBuilder refusal(int code, String message) {
    return aResponse()
        .withStatus(code)
        .withBody("{\"kind\":\"Status\",\"message\":\"" + message + "\",\"code\":" + code + "}");
  }
}
