package io.gpureclaimer.common.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ListenAddressTest {

  @ParameterizedTest
  @CsvSource({
    ":9400, '', 9400",
    "127.0.0.1:9400, 127.0.0.1, 9400",
    "[::]:9400, ::, 9400",
    "[fe80::1%eth0]:9400, fe80::1%eth0, 9400",
    "localhost:0, localhost, 0"
  })
  void readsHostAndPort(String text, String host, int port) {
    assertThat(ListenAddress.of(text)).isEqualTo(new ListenAddress(host, port));
  }

  @ParameterizedTest
  @ValueSource(strings = {"9400", "host", "host:", "::1:9400", "[::1]", "a b:1", "host:65536", ""})
  void refusesAnythingElse(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ListenAddress.of(text))
        .withMessage(ListenAddress.RULE);
  }
}
