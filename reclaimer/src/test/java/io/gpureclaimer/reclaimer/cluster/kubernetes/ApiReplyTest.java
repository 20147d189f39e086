package io.gpureclaimer.reclaimer.cluster.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ApiReplyTest {

  @ParameterizedTest(name = "{0} → {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"kind":"Status","message":"no room"}                                           | no room
          {"message":"no room","details":{"causes":[{"message":"a"},{"message":"b"}]}}    | no room a b
          {"message":"no room","details":{"causes":[{"reason":"x"}]}}                     | no room
          {"kind":"Status"}                                                               | {"kind":"Status"}
          {broken                                                                         | {broken
          404 page not found                                                              | 404 page not found
          <html>gateway</html>                                                            | <html>gateway</html>
          ''                                                                              | HTTP status 404
          """)
  void saysWhatTheServerSaid(String body, String message) {
    assertThat(new ApiReply(404, body, Optional.empty()).message(new KubernetesSerialization()))
        .isEqualTo(message);
  }

  @Test
  void cutsOffLongPages() {
    assertThat(
            new ApiReply(502, "x".repeat(10_000), Optional.empty())
                .message(new KubernetesSerialization()))
        .hasSize(301);
  }

  @ParameterizedTest
  @CsvSource({"10, PT10S", "0, PT0S"})
  void readsADelayInSeconds(String header, Duration pause) {
    assertThat(new ApiReply(429, "", Optional.of(header)).pause()).contains(pause);
  }

  @ParameterizedTest
  @CsvSource({"'Wed, 21 Oct 2026 07:28:00 GMT'", "-1", "1e3", "''", "99999999999"})
  void readsNoOtherDelay(String header) {
    assertThat(new ApiReply(429, "", Optional.of(header)).pause()).isEmpty();
  }
}
