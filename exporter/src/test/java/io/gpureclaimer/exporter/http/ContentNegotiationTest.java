package io.gpureclaimer.exporter.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.exporter.http.ScrapeController.ContentNegotiation;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ContentNegotiationTest {

  /** The third is Prometheus 3's own. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "application/openmetrics-text",
        "text/plain;q=0.5, Application/OpenMetrics-Text; version=1.0.0; q=0.5",
        "application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.5,"
            + "application/openmetrics-text;version=0.0.1;q=0.4,"
            + "text/plain;version=1.0.0;escaping=allow-utf-8;q=0.3,"
            + "text/plain;version=0.0.4;q=0.2,*/*;q=0.1"
      })
  void isOpenMetrics_whenItHasNoLessWeight(String header) {
    assertThat(ContentNegotiation.prefersOpenMetrics(List.of(header))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "*/*",
        "text/plain",
        "application/openmetrics-text;q=0",
        "application/openmetrics-text;q=0.4,text/plain;q=0.5",
        "application/openmetrics-text;q=0.4,text/plain",
        "application/openmetrics-text;version=0.0.1",
        "application/openmetrics-text;version=2.0.0"
      })
  void isText_whenTheClientDoesNotPreferOpenMetrics(String header) {
    assertThat(ContentNegotiation.prefersOpenMetrics(List.of(header))).isFalse();
  }

  @Test
  void readsEveryHeaderLine() {
    assertThat(
            ContentNegotiation.prefersOpenMetrics(
                List.of("text/plain;q=0.1", "application/openmetrics-text;q=0.2")))
        .isTrue();
    assertThat(ContentNegotiation.prefersOpenMetrics(List.of())).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"gzip", "GZIP", "x-gzip", "deflate, gzip;q=1.0", "gzip ; q=0.5", "br,gzip;q=.001"})
  void compresses_whenTheClientAcceptsGzip(String header) {
    assertThat(ContentNegotiation.acceptsGzip(List.of(header))).isTrue();
    assertThat(ContentNegotiation.acceptsGzip(List.of("identity", header))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "identity", "gzip;q=0", "gzip;q=0.000", "deflate", "gzipped", "*"})
  void doesNotCompress_whenTheClientDoesNotAcceptGzip(String header) {
    assertThat(ContentNegotiation.acceptsGzip(List.of(header))).isFalse();
    assertThat(ContentNegotiation.acceptsGzip(List.of())).isFalse();
  }
}
