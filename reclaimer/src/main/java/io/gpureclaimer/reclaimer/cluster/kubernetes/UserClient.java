package io.gpureclaimer.reclaimer.cluster.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.internal.SSLUtils;
import io.gpureclaimer.reclaimer.cluster.Reclamation;
import io.gpureclaimer.reclaimer.cluster.UserRequests;
import io.gpureclaimer.reclaimer.cluster.kubernetes.parser.ObjectParser;
import io.gpureclaimer.reclaimer.cluster.kubernetes.parser.ReclamationParser;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.GeneralSecurityException;
import java.time.Duration;
import javax.net.ssl.SSLContext;

/**
 * Requests with the credentials of a person. The client has neither a token nor a certificate of
 * its own, so that it can send none. Safe for use by several threads.
 */
final class UserClient implements UserRequests {
  private static final int NO_ANSWER = 502;

  private final Config config;

  /**
   * @param config says where the API server is and whom to trust; nothing else of it is used
   */
  UserClient(Config config) {
    this.config = config;
  }

  @Override
  public UserReply requestRestore(String namespace, String record, String authorization) {
    String path =
        "/apis/" + Reclamation.API_VERSION + "/namespaces/" + namespace + "/reclamations/" + record;
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(config.getMasterUrl().replaceAll("/+$", "") + path))
            .timeout(Duration.ofMillis(config.getRequestTimeout()))
            .header("Authorization", authorization)
            .header("Content-Type", "application/merge-patch+json")
            .header("Accept", "application/json")
            .method("PATCH", BodyPublishers.ofString(ReclamationParser.RESTORE_PATCH))
            .build();
    try (HttpClient client = client()) {
      HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
      int code = response.statusCode();
      return code / 100 == 2
          ? new UserReply(code, "")
          : new UserReply(code, message(response.body()));
    } catch (IOException e) {
      return new UserReply(NO_ANSWER, "the API server does not respond: " + e);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return new UserReply(NO_ANSWER, "interrupted while waiting for the API server");
    }
  }

  /** Made for each request, which is rare, because authorities are replaced while we run. */
  private HttpClient client() throws IOException {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, SSLUtils.trustManagers(config), null);
      return HttpClient.newBuilder()
          .sslContext(context)
          .connectTimeout(Duration.ofMillis(config.getConnectionTimeout()))
          .followRedirects(HttpClient.Redirect.NEVER)
          .build();
    } catch (GeneralSecurityException e) {
      throw new IOException("the certificates of the API server cannot be used", e);
    }
  }

  private static String message(String body) {
    try {
      JsonNode status = ObjectParser.tree(body);
      return status.path("message").asText("the API server refused");
    } catch (IllegalArgumentException _) {
      return "the API server refused";
    }
  }
}
