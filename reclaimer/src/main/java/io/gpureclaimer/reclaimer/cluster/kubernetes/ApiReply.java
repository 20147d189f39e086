package io.gpureclaimer.reclaimer.cluster.kubernetes;

import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.StatusCause;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What the API server answered, whether it agreed or not.
 *
 * @param body an object, or a Status that says why not
 */
record ApiReply(int code, String body, Optional<String> retryAfter) {
  static final int BAD_REQUEST = 400;
  static final int NOT_FOUND = 404;
  static final int CONFLICT = 409;
  static final int TOO_MANY_REQUESTS = 429;

  private static final String UNKNOWN_PATH = "the server could not find the requested resource";
  private static final int LONGEST_TEXT = 300;

  boolean ok() {
    return code >= 200 && code < 300;
  }

  /** The server's words, with the causes it names; its code when it has none. */
  String message(KubernetesSerialization serialization) {
    return status(serialization)
        .filter(status -> status.getMessage() != null)
        .map(
            status ->
                Stream.concat(Stream.of(status.getMessage()), causes(status))
                    .collect(Collectors.joining(" ")))
        .orElseGet(this::plainText);
  }

  /** Whether the body may be an object: a proxy may answer with text or a page of its own. */
  boolean isJson() {
    return body.startsWith("{");
  }

  /** Whether a 404 is about the path: about an object, it would name the object's kind. */
  boolean isUnknownPath(KubernetesSerialization serialization) {
    return status(serialization)
        .map(status -> String.valueOf(status.getMessage()).startsWith(UNKNOWN_PATH))
        .orElse(true);
  }

  private Optional<Status> status(KubernetesSerialization serialization) {
    try {
      return isJson()
          ? Optional.ofNullable(serialization.unmarshal(body, Status.class))
          : Optional.empty();
    } catch (KubernetesClientException e) {
      return Optional.empty();
    }
  }

  private String plainText() {
    String text = body.strip();
    if (text.isEmpty()) {
      return "HTTP status " + code;
    }
    return text.length() <= LONGEST_TEXT ? text : text.substring(0, LONGEST_TEXT) + "…";
  }

  private static Stream<String> causes(Status status) {
    return status.getDetails() == null
        ? Stream.empty()
        : status.getDetails().getCauses().stream()
            .map(StatusCause::getMessage)
            .filter(Objects::nonNull);
  }

  /** The delay that the server asks for; a date instead of seconds is not understood. */
  Optional<Duration> pause() {
    return retryAfter
        .filter(text -> text.matches("[0-9]{1,9}"))
        .map(Long::parseLong)
        .map(Duration::ofSeconds);
  }
}
