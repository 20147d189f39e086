package io.gpureclaimer.reclaimer.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RedactionTest {
  private final Redaction redaction = new Redaction(Set.of("secret", "secret-too", "apps"));

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      value = {
        "evicted for pod secret/train-0,evicted for pod of another namespace",
        "for secret-too/a.b-c.,for of another namespace.",
        "(secret/x),(of another namespace)",
        "for ml/train-0,for ml/train-0",
        "not-secret/train-0,not-secret/train-0",
        "/ui/workloads/secret/pod/x,/ui/workloads/secret/pod/x",
        "secret,secret",
        "gpu-reclaimer.io/secret,gpu-reclaimer.io/secret"
      })
  void hidesObjectsOfHiddenNamespaces(String text, String expected) {
    assertThat(redaction.redacted(text)).isEqualTo(expected);
  }
}
