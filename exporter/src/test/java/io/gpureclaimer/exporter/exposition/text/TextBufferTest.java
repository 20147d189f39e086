package io.gpureclaimer.exporter.exposition.text;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TextBufferTest {

  @ParameterizedTest
  @ValueSource(longs = {0, 7, -7, 10, 99, 100, 1_234_567_890_123L, Long.MAX_VALUE, Long.MIN_VALUE})
  void writesIntegersInDecimal(long value) {
    assertThat(text(new TextBuffer().appendInteger(value))).isEqualTo(Long.toString(value));
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0.000000",
    "71.234, 71.234000",
    "0.0000004, 0.000000",
    "0.0000006, 0.000001",
    "0.9999999, 1.000000",
    "-1.5, -1.500000",
    "-0.0000001, -0.000000",
    "699.999, 699.999000",
    "123456789.123456, 123456789.123456",
    "1e15, 1000000000000000.000000",
    "9007199254740993, 9007199254740992.000000"
  })
  void writesSixDecimals(double value, String expected) {
    assertThat(text(new TextBuffer().appendSixDecimals(value))).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({"0.0078125, 0.007812", "0.0234375, 0.023438", "1.0078125, 1.007812"})
  void givesTiesToTheEvenDigit(double value, String expected) {
    assertThat(text(new TextBuffer().appendSixDecimals(value))).isEqualTo(expected);
  }

  /** The exact decimal expansion is the judge. */
  @Test
  void roundsAsTheExactValueDoes_whateverTheDouble() {
    var random = new Random(42);
    for (int i = 0; i < 200_000; i++) {
      double value =
          switch (i % 4) {
            case 0 -> random.nextDouble() * Math.pow(10, random.nextInt(18));
            case 1 -> random.nextInt(2_000_000) / 1_000_000.0 + 5e-7;
            case 2 -> random.nextInt(1 << 20) / 128.0;
            default -> (random.nextLong() >> 20) / 1_000.0;
          };
      String exact =
          new BigDecimal(value).setScale(6, RoundingMode.HALF_EVEN).abs().toPlainString();
      String expected = Double.doubleToRawLongBits(value) < 0 ? "-" + exact : exact;

      assertThat(text(new TextBuffer().appendSixDecimals(value))).isEqualTo(expected);
    }
  }

  @ParameterizedTest
  @CsvSource({"0, 0.000", "1795244352121, 1795244352.121", "1005, 1.005", "-1005, -1.005"})
  void writesMillisecondsAsSeconds(long millis, String expected) {
    assertThat(text(new TextBuffer().appendMillisAsSeconds(millis))).isEqualTo(expected);
  }

  @Test
  void growsAndIsReusable() {
    var buffer = new TextBuffer();
    byte[] long100 = "0123456789".repeat(10).getBytes(US_ASCII);
    for (int i = 0; i < 1_000; i++) {
      buffer.append(long100);
    }
    assertThat(buffer.toByteArray()).hasSize(100_000);

    buffer.clear();
    assertThat(text(buffer.append('x').appendInteger(1))).isEqualTo("x1");
  }

  private static String text(TextBuffer buffer) {
    return new String(buffer.toByteArray(), US_ASCII);
  }
}
