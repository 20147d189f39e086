package io.gpureclaimer.reclaimer.evidence.prometheus;

import io.gpureclaimer.reclaimer.client.Excerpt;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import tools.jackson.core.JacksonException;

/** An answer of any HTTP status but 200, told in the words of whoever gave it. */
final class Refusal {
  private static final int LARGEST_ERROR_BYTES = 64 * 1024;

  /** What a Prometheus and its like begin with when they gave a question up themselves. */
  private static final String TIMEOUT = "timeout: ";

  private static final String OF_ITS_OWN =
      "; that is a limit of the server's own, in a Prometheus --query.timeout";

  private Refusal() {}

  static Answer of(HttpResponse<?> response, AnswerBody body) throws IOException {
    String found = "HTTP " + response.statusCode();
    Optional<String> elsewhere = response.headers().firstValue("Location");
    if (elsewhere.isPresent()) {
      return new Answer.Unusable(
          "HTTP 200", found + ", sent on to " + withoutSecrets(elsewhere.get()));
    }
    String text = text(body.readNBytes(LARGEST_ERROR_BYTES));
    return new Answer.Unusable("HTTP 200", text.isEmpty() ? found : found + ": " + text);
  }

  private static String text(byte[] body) {
    try {
      var reader = new AnswerReader(Set.of(), new Elements.Vector(_ -> {}));
      Envelope envelope = reader.read(new ByteArrayInputStream(body));
      if (envelope.error().isPresent()) {
        String error = envelope.error().get();
        return error.startsWith(TIMEOUT) ? error + OF_ITS_OWN : error;
      }
    } catch (MalformedAnswer | JacksonException _) {
      // Not the words of a Prometheus, so those of whatever stands before it.
    }
    return Excerpt.of(new String(body, StandardCharsets.UTF_8));
  }

  private static String withoutSecrets(String location) {
    return Excerpt.of(location.replaceFirst("[?#].*", "").replaceFirst("//[^/@]*@", "//"));
  }
}
