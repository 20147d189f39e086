package io.gpureclaimer.exporter.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ProbeControllerTest {
  @Test
  void isAlive_whateverIsNotReady() {
    HttpResponse<String> answer = new ProbeController(List.of(), List.of(Optional::empty)).health();

    assertThat(answer.status().getCode()).isEqualTo(HttpStatus.OK.getCode());
    assertThat(answer.body()).isEqualTo("OK");
  }

  @Test
  void asksForANewContainer_whenNothingElseHelps() {
    HttpResponse<String> answer =
        new ProbeController(List.of(), List.of(Optional::empty, () -> Optional.of("a folder went")))
            .health();

    assertThat(answer.status().getCode()).isEqualTo(HttpStatus.SERVICE_UNAVAILABLE.getCode());
    assertThat(answer.body()).isEqualTo("a folder went\n");
  }
}
