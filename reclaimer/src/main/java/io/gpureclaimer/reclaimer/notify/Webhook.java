package io.gpureclaimer.reclaimer.notify;

import io.gpureclaimer.reclaimer.client.HttpFailure;
import io.gpureclaimer.reclaimer.client.TrustedHttpClient;
import io.gpureclaimer.reclaimer.client.TrustedHttpClient.ConnectionFileException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;

/**
 * Posts messages to one receiver. Follows no redirect, and repeats nothing of addresses, headers or
 * answers, which may hold secrets. Safe for any thread.
 */
final class Webhook {
  private static final Pattern HEADER = Pattern.compile("([A-Za-z0-9-]+):[ \\t]*([ -~]+)");
  private static final Pattern SECONDS = Pattern.compile("[0-9]{1,6}");

  private final Receiver receiver;
  private final Duration timeout;
  private final TrustedHttpClient trust;

  Webhook(Receiver receiver, Duration timeout) {
    this.receiver = receiver;
    this.timeout = timeout;
    this.trust = new TrustedHttpClient(receiver.caFile());
  }

  Receiver receiver() {
    return receiver;
  }

  /** Makes one attempt. */
  DeliveryResult send(Message message) {
    try {
      HttpRequest request = request(Payload.of(receiver.kind(), message));
      CompletableFuture<HttpResponse<Void>> answer =
          trust.client().sendAsync(request, HttpResponse.BodyHandlers.discarding());
      return await(answer);
    } catch (ConnectionFileException e) {
      return refused(String.valueOf(e.getMessage()));
    }
  }

  private DeliveryResult await(CompletableFuture<HttpResponse<Void>> answer) {
    try {
      return result(answer.get(timeout.toNanos(), TimeUnit.NANOSECONDS));
    } catch (TimeoutException _) {
      answer.cancel(true);
      return refused("no answer within " + timeout.toMillis() + " ms");
    } catch (InterruptedException _) {
      answer.cancel(true);
      Thread.currentThread().interrupt();
      return refused("interrupted");
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException failure) {
        return refused(HttpFailure.text(failure));
      }
      throw new IllegalStateException("unexpected failure of a message", e.getCause());
    }
  }

  private static DeliveryResult result(HttpResponse<?> response) {
    int code = response.statusCode();
    if (code >= 200 && code < 300) {
      return new DeliveryResult.Accepted();
    }
    String redirect = code >= 300 && code < 400 ? ", a redirect, which is not followed" : "";
    return new DeliveryResult.Refused(
        "it answered " + code + redirect,
        response
            .headers()
            .firstValue("Retry-After")
            .filter(text -> SECONDS.matcher(text).matches())
            .map(Long::parseLong)
            .map(Duration::ofSeconds));
  }

  private HttpRequest request(String payload) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(address())
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(payload));
    receiver.headersFile().ifPresent(file -> headers(file, request));
    return request.build();
  }

  private URI address() {
    return switch (receiver.address()) {
      case Receiver.Address.Open(var url) -> url;
      case Receiver.Address.InFile(var file) ->
          Receiver.Address.parse(content("a URL", file).strip())
              .orElseThrow(() -> new ConnectionFileException("a URL", file, "none"));
    };
  }

  private static void headers(Path file, HttpRequest.Builder request) {
    List<String> lines =
        content("headers", file).lines().map(String::strip).filter(l -> !l.isEmpty()).toList();
    for (String line : lines) {
      var header = HEADER.matcher(line);
      if (!header.matches()) {
        throw new ConnectionFileException("headers", file, "a line without \"Name: value\"");
      }
      try {
        request.setHeader(header.group(1), header.group(2));
      } catch (IllegalArgumentException _) {
        throw new ConnectionFileException("headers", file, "one that cannot be set");
      }
    }
  }

  private static String content(String what, Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new ConnectionFileException(what, file, HttpFailure.text(e));
    }
  }

  private static DeliveryResult refused(String why) {
    return new DeliveryResult.Refused(why, Optional.empty());
  }

  /** Result of one attempt to deliver a message. */
  sealed interface DeliveryResult {

    record Accepted() implements DeliveryResult {}

    /**
     * The receiver refused, or its answer is not known.
     *
     * @param retryAfter the delay that the receiver asks for
     */
    record Refused(String why, Optional<Duration> retryAfter) implements DeliveryResult {}
  }
}
