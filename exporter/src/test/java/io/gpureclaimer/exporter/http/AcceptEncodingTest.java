package io.gpureclaimer.exporter.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AcceptEncodingTest {

  @ParameterizedTest
  @ValueSource(
      strings = {"gzip", "GZIP", "x-gzip", "deflate, gzip;q=1.0", "gzip ; q=0.5", "br,gzip;q=.001"})
  void allowsGzip_whenTheClientNamesIt(String header) {
    assertThat(AcceptEncoding.allowsGzip(List.of(header))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "identity", "gzip;q=0", "gzip;q=0.000", "deflate", "gzipped", "*"})
  void refusesGzip_whenTheClientDoesNot(String header) {
    assertThat(AcceptEncoding.allowsGzip(List.of(header))).isFalse();
  }

  @Test
  void looksAtEveryHeaderLine() {
    assertThat(AcceptEncoding.allowsGzip(List.of("identity", "gzip"))).isTrue();
    assertThat(AcceptEncoding.allowsGzip(List.of())).isFalse();
  }
}
