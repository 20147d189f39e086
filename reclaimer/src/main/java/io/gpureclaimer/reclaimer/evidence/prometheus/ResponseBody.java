package io.gpureclaimer.reclaimer.evidence.prometheus;

import io.gpureclaimer.reclaimer.client.HttpFailure.Excerpt;
import io.gpureclaimer.reclaimer.evidence.prometheus.QueryClient.QueryAnswer;
import io.gpureclaimer.reclaimer.evidence.prometheus.ResponseReader.MalformedResponse;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import tools.jackson.core.JacksonException;

/**
 * Body of a response: uncompressed, limited in size, with its first bytes kept for a message.
 * Confined to the thread that reads.
 */
final class ResponseBody extends FilterInputStream {
  private static final int REMEMBERED = 400;
  private static final int LARGEST_ERROR_BYTES = 64 * 1024;

  /** The start of the error of a Prometheus that gave up a query itself. */
  private static final String TIMEOUT = "timeout: ";

  private static final String OF_ITS_OWN =
      "; that is a limit of the server's own, in a Prometheus --query.timeout";

  private final long largest;
  private final ByteArrayOutputStream beginning = new ByteArrayOutputStream(REMEMBERED);
  private long count;

  private ResponseBody(InputStream in, long largest) {
    super(in);
    this.largest = largest;
  }

  /**
   * @param largest bytes to read, uncompressed; one more is an {@link IOException}
   */
  static ResponseBody of(HttpResponse<InputStream> response, long largest) throws IOException {
    String encoding = response.headers().firstValue("Content-Encoding").orElse("identity");
    InputStream plain =
        switch (encoding) {
          case "identity" -> response.body();
          case "gzip", "x-gzip" -> new GZIPInputStream(response.body());
          default -> throw new IOException("content encoding " + encoding + ", not asked for");
        };
    return new ResponseBody(plain, largest);
  }

  /** How the answer begins, as text. */
  String beginning() {
    return beginning.toString(StandardCharsets.UTF_8);
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    int read = super.read(into, offset, length);
    if (read > 0) {
      count += read;
      beginning.write(into, offset, Math.min(read, REMEMBERED - beginning.size()));
    }
    if (count > largest) {
      throw new IOException("more than " + largest + " bytes");
    }
    return read;
  }

  /** The answer for an HTTP status other than 200, with the words of the server or proxy. */
  QueryAnswer refusal(HttpResponse<?> response) throws IOException {
    String found = "HTTP " + response.statusCode();
    Optional<String> elsewhere = response.headers().firstValue("Location");
    if (elsewhere.isPresent()) {
      return new QueryAnswer.Unusable(
          "HTTP 200", found + ", sent on to " + withoutSecrets(elsewhere.get()));
    }
    String text = errorText(readNBytes(LARGEST_ERROR_BYTES));
    return new QueryAnswer.Unusable("HTTP 200", text.isEmpty() ? found : found + ": " + text);
  }

  private static String errorText(byte[] body) {
    try {
      Optional<String> error = ResponseReader.readError(new ByteArrayInputStream(body));
      if (error.isPresent()) {
        return error.get().startsWith(TIMEOUT) ? error.get() + OF_ITS_OWN : error.get();
      }
    } catch (MalformedResponse | JacksonException _) {
      // Not the words of a Prometheus, so those of a proxy before it.
    }
    return Excerpt.of(new String(body, StandardCharsets.UTF_8));
  }

  private static String withoutSecrets(String location) {
    return Excerpt.of(location.replaceFirst("[?#].*", "").replaceFirst("//[^/@]*@", "//"));
  }
}
