package io.gpureclaimer.exporter.exposition.text;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LabelBlockTest {

  @Test
  void keepsTheOrderThatLabelsAreGivenIn() {
    assertThat(text(new LabelBlock().with("gpu", "0").with("UUID", "GPU-a")))
        .isEqualTo("{gpu=\"0\",UUID=\"GPU-a\"} ");
  }

  @Test
  void escapesBackslashQuoteAndNewline_andNothingElse() {
    assertThat(text(new LabelBlock().with("pod", "a\\b\"c\nd,{}é")))
        .isEqualTo("{pod=\"a\\\\b\\\"c\\nd,{}é\"} ");
  }

  private static String text(LabelBlock block) {
    return new String(block.encoded(), UTF_8);
  }
}
