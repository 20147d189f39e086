package io.gpureclaimer.exporter.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.common.device.GpuUuid;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class HolderTest {

  @Test
  void twoAreOne_whenTheyDifferInWhatCannotBeServed() {
    assertThat(new Holder("ml", "a\ud800", "main", "u\udfff"))
        .isEqualTo(new Holder("ml", "a\udbff", "main", "u\ud801"))
        .isEqualTo(new Holder("ml", "a\ufffd", "main", "u\ufffd"))
        .isNotEqualTo(new Holder("ml", "a?", "main", "u?"));
  }

  @Test
  void wholeCharactersStay() {
    assertThat(new Holder("m𝄞l", "é", "main\ud800𝄞", null))
        .extracting(Holder::namespace, Holder::pod, Holder::container)
        .containsExactly("m𝄞l", "é", "main\ufffd𝄞");
  }

  @Test
  void anEmptyNameNamesNoPod() {
    assertThatIllegalArgumentException().isThrownBy(() -> new Holder("ml", " ", "main", null));
    assertThatIllegalArgumentException().isThrownBy(() -> new Holder("ml", "a", "main", ""));
  }

  @Test
  void twoJobsAreOne_whenTheyDifferInWhatCannotBeServed() {
    var device = Entity.whole(new GpuUuid("GPU-1"));

    assertThat(
            new Jobs(Map.of(device, List.of("\ud800", "\udc00", "7")), OptionalInt.empty())
                .on(device))
        .containsExactly("\ufffd", "7");
  }
}
