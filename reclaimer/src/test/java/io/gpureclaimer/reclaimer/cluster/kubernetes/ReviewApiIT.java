package io.gpureclaimer.reclaimer.cluster.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.tomakehurst.wiremock.client.WireMock;
import com.github.tomakehurst.wiremock.junit5.WireMockRuntimeInfo;
import com.github.tomakehurst.wiremock.junit5.WireMockTest;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.gpureclaimer.reclaimer.cluster.AccessReviews.ApiUser;
import io.gpureclaimer.reclaimer.cluster.ClusterUnreachable;
import io.gpureclaimer.reclaimer.cluster.ObjectRef;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Reviews as the API server gets and answers them. */
@WireMockTest
class ReviewApiIT {
  private static final String TOKENS = "/apis/authentication.k8s.io/v1/tokenreviews";
  private static final String ACCESS = "/apis/authorization.k8s.io/v1/subjectaccessreviews";
  private static final ObjectRef WEB = new ObjectRef("apps/v1", "Deployment", "ml", "web", "u");

  private ReviewApi api;

  @BeforeEach
  void start(WireMockRuntimeInfo server) {
    api =
        new ReviewApi(
            new ApiServer(
                new KubernetesClientBuilder()
                    .withConfig(
                        new ConfigBuilder()
                            .withMasterUrl(server.getHttpBaseUrl())
                            .withRequestRetryBackoffLimit(0)
                            .build())
                    .build()));
    WireMock.stubFor(
        WireMock.get("/apis/apps/v1")
            .willReturn(
                WireMock.okJson(
                    """
                    {"kind":"APIResourceList","groupVersion":"apps/v1","resources":[
                      {"name":"deployments","kind":"Deployment","namespaced":true}]}
                    """)));
  }

  @Test
  void readsThePersonOfAToken() {
    answer(
        TOKENS,
        """
        {"kind":"TokenReview","status":{"authenticated":true,"user":{"username":"alice","uid":"7",
          "groups":["ml","system:authenticated"],"extra":{"scopes":["a"]}}}}
        """);

    assertThat(api.authenticate("theirs", List.of()))
        .hasValue(
            new ApiUser(
                "alice",
                "7",
                List.of("ml", "system:authenticated"),
                Map.of("scopes", List.of("a"))));
    WireMock.verify(
        WireMock.postRequestedFor(WireMock.urlEqualTo(TOKENS))
            .withRequestBody(WireMock.matchingJsonPath("$.spec[?(@.token == 'theirs')]")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"kind\":\"TokenReview\",\"status\":{\"authenticated\":false}}",
        "{\"kind\":\"TokenReview\",\"status\":{\"authenticated\":true}}",
        "{\"kind\":\"TokenReview\",\"status\":{\"authenticated\":true,\"user\":{\"username\":\"\"}}}",
        "{\"kind\":\"TokenReview\",\"status\":{\"error\":\"expired\"}}",
        "{\"kind\":\"TokenReview\"}"
      })
  void knowsNoPerson_whereTheAnswerNamesNone(String answer) {
    answer(TOKENS, answer);

    assertThat(api.authenticate("theirs", List.of())).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"'', false", "other, false", "gpu-reclaimer, true"})
  void acceptsOnlyTokensForItsAudience(String confirmed, boolean isKnown) {
    answer(
        TOKENS,
        "{\"kind\":\"TokenReview\",\"status\":{\"authenticated\":true,\"user\":{\"username\":\"a\"},"
            + "\"audiences\":["
            + (confirmed.isEmpty() ? "" : "\"" + confirmed + "\"")
            + "]}}");

    assertThat(api.authenticate("theirs", List.of("gpu-reclaimer")).isPresent()).isEqualTo(isKnown);
  }

  @ParameterizedTest
  @CsvSource({
    "'{\"allowed\":true}', true",
    "'{\"allowed\":false}', false",
    "'{\"allowed\":true,\"denied\":true}', false",
    "'{}', false"
  })
  void asksWhetherAPersonMayPatchAnOwner(String status, boolean isAllowed) {
    answer(ACCESS, "{\"kind\":\"SubjectAccessReview\",\"status\":" + status + "}");

    assertThat(
            api.isAllowed(
                new ApiUser("alice", "7", List.of("ml"), Map.of("scopes", List.of("a"))),
                "patch",
                WEB))
        .isEqualTo(isAllowed);
    WireMock.verify(
        WireMock.postRequestedFor(WireMock.urlEqualTo(ACCESS))
            .withRequestBody(
                WireMock.equalToJson(
                    """
                    {"apiVersion":"authorization.k8s.io/v1","kind":"SubjectAccessReview","spec":{
                      "user":"alice","uid":"7","groups":["ml"],"extra":{"scopes":["a"]},
                      "resourceAttributes":{"verb":"patch","group":"apps","version":"v1",
                        "resource":"deployments","namespace":"ml","name":"web"}}}
                    """)));
  }

  @Test
  void knowsNothing_whenTheApiServerRefusesTheReview() {
    WireMock.stubFor(
        WireMock.post(TOKENS)
            .willReturn(WireMock.aResponse().withStatus(403).withBody("forbidden")));

    assertThatThrownBy(() -> api.authenticate("theirs", List.of()))
        .isInstanceOf(ClusterUnreachable.class)
        .hasMessageContaining("got 403: forbidden")
        .hasMessageNotContaining("theirs");
  }

  private static void answer(String path, String body) {
    WireMock.stubFor(WireMock.post(path).willReturn(WireMock.okJson(body).withStatus(201)));
  }
}
