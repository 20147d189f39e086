package io.gpureclaimer.reclaimer.cluster.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

class WatchFailureTest {

  @Test
  void saysWhatTheServerSaid_withoutTheRequest() {
    assertThat(ObjectWatch.failureText(forbiddenAt("6102")))
        .isEqualTo("the API server answered 403: Forbidden")
        .isEqualTo(ObjectWatch.failureText(forbiddenAt("6221")));
  }

  @Test
  void looksThroughWhatIsWrappedAroundIt() {
    assertThat(ObjectWatch.failureText(new CompletionException(forbiddenAt("1"))))
        .isEqualTo("the API server answered 403: Forbidden");
  }

  @Test
  void keepsTheWords_whenTheServerDidNotAnswer() {
    assertThat(ObjectWatch.failureText(new IOException("Connection refused")))
        .isEqualTo("Connection refused");
    assertThat(ObjectWatch.failureText(new KubernetesClientException("no route to host")))
        .isEqualTo("no route to host");
  }

  /** As the client reports a watch that the server refuses. */
  private static KubernetesClientException forbiddenAt(String resourceVersion) {
    return new KubernetesClientException(
        "Received 403 on websocket. Failure executing: GET at:"
            + " https://10.0.0.1:443/api/v1/nodes?allowWatchBookmarks=true&resourceVersion="
            + resourceVersion
            + "&timeoutSeconds=600&watch=true. Message: Forbidden.",
        403,
        new StatusBuilder().withCode(403).withMessage("Forbidden").build());
  }
}
