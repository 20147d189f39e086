package io.gpureclaimer.reclaimer.evidence.source;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;

/** Requests that are not the program's own. */
public final class QueryRequests {
  private QueryRequests() {}

  /**
   * Sends one.
   *
   * @return what was answered
   */
  public static String send(HttpRequest request, int expected) {
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
      if (response.statusCode() != expected) {
        throw new IllegalStateException(
            request.uri()
                + ": expected "
                + expected
                + ", found "
                + response.statusCode()
                + " "
                + response.body());
      }
      return response.body();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }
}
