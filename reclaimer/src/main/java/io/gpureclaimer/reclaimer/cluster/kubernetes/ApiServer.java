package io.gpureclaimer.reclaimer.cluster.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.gpureclaimer.reclaimer.cluster.ClusterUnreachable;
import io.gpureclaimer.reclaimer.cluster.kubernetes.parser.ObjectParser;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Single calls to the API server, each made once.
 *
 * <p>The client's own verbs are not used for writing: they hide the response's headers, and read a
 * refused eviction as {@code false}.
 */
final class ApiServer {
  private static final String JSON = "application/json";
  private static final String MERGE_PATCH = "application/merge-patch+json";

  private final HttpClient http;
  private final String root;
  private final KubernetesSerialization serialization;
  private final Duration limit;

  ApiServer(KubernetesClient client) {
    this.http = client.getHttpClient();
    this.root = client.getMasterUrl().toString().replaceAll("/+$", "");
    this.serialization = client.getKubernetesSerialization();
    this.limit = Duration.ofMillis(client.getConfiguration().getRequestTimeout());
  }

  ApiReply get(String path) {
    return send("GET " + path, request(path));
  }

  ApiReply post(String path, Object body) {
    return send("POST " + path, request(path).post(JSON, serialization.asJson(body)));
  }

  ApiReply postJson(String path, String json) {
    return send("POST " + path, request(path).post(JSON, json));
  }

  /** A JSON merge patch, RFC 7396. */
  ApiReply patch(String path, String merge) {
    return send("PATCH " + path, request(path).patch(MERGE_PATCH, merge));
  }

  /** Deletes an object, with these options. */
  ApiReply delete(String path, String options) {
    return send("DELETE " + path, request(path).delete(JSON, options));
  }

  /**
   * The object in a positive answer.
   *
   * @throws ClusterUnreachable if it is none: what answered was no API server
   */
  <T> T object(ApiReply reply, Class<T> type) {
    String expected = "read a " + type.getSimpleName();
    if (!reply.isJson()) {
      throw new ClusterUnreachable(expected, "got " + message(reply));
    }
    try {
      return serialization.unmarshal(reply.body(), type);
    } catch (KubernetesClientException e) {
      throw new ClusterUnreachable(expected, e);
    }
  }

  /**
   * The object in a positive answer, of whatever kind.
   *
   * @throws ClusterUnreachable if it is none
   */
  JsonNode tree(ApiReply reply) {
    if (!reply.isJson()) {
      throw new ClusterUnreachable("read an object", "got " + message(reply));
    }
    try {
      return ObjectParser.tree(reply.body());
    } catch (IllegalArgumentException e) {
      throw new ClusterUnreachable("read an object", e);
    }
  }

  String message(ApiReply reply) {
    return reply.message(serialization);
  }

  /** Whether a 404 says that there is no such path, rather than no such object. */
  boolean isUnknownPath(ApiReply reply) {
    return reply.isUnknownPath(serialization);
  }

  private HttpRequest.Builder request(String path) {
    return http.newHttpRequestBuilder()
        .uri(root + path)
        .timeout(limit.toMillis(), TimeUnit.MILLISECONDS);
  }

  private ApiReply send(String operation, HttpRequest.Builder request) {
    try {
      HttpResponse<String> response =
          http.sendAsync(request.build(), String.class)
              .get(limit.toMillis(), TimeUnit.MILLISECONDS);
      return new ApiReply(
          response.code(), response.body(), Optional.ofNullable(response.header("Retry-After")));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ClusterUnreachable(operation, e);
    } catch (ExecutionException e) {
      throw new ClusterUnreachable(operation, e.getCause() == null ? e : e.getCause());
    } catch (TimeoutException e) {
      throw new ClusterUnreachable(operation, "no answer within " + limit.toMillis() + " ms");
    }
  }
}
