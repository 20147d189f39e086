package io.gpureclaimer.verification.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ValueComparisonTest {
  @Test
  void showsBothValuesAndTheChange() {
    assertThat(ValueComparison.table(values("judge 400 ms"), values("judge 500 ms")))
        .containsExactly("value  before     now   change", "judge  400 ms  500 ms  +25.0 %");
  }

  @Test
  void marksAChange_whenBeyondTheNoiseOfItsUnit() {
    assertThat(
            ValueComparison.table(
                values("a 100 ms", "b 100 MiB", "c 100 rows", "d 100 ms", "e 0 rows"),
                values("a 69 ms", "b 106 MiB", "c 101 rows", "d 130 ms", "e 0 rows")))
        .containsExactly(
            "value    before       now   change",
            "a        100 ms     69 ms  -31.0 %  beyond noise of 30 %",
            "b       100 MiB   106 MiB   +6.0 %  beyond noise of 5 %",
            "c      100 rows  101 rows   +1.0 %  beyond noise of 0 %",
            "d        100 ms    130 ms  +30.0 %",
            "e        0 rows    0 rows   +0.0 %");
  }

  @Test
  void aValueThatIsMissingIsNotZero() {
    assertThat(ValueComparison.table(values("a 1 ms", "b 2 ms"), values("a 1 ms")))
        .containsExactly(
            "value  before   now  change",
            "a        1 ms  1 ms  +0.0 %",
            "b        2 ms     –       –  missing");
  }

  @Test
  void marksWhatCannotBeCompared() {
    assertThat(
            ValueComparison.table(
                values("a 1 s", "b 0 ms"), values("a 1000 ms", "b 1 ms", "c 1 ms")))
        .containsExactly(
            "value  before       now  change",
            "a         1 s  1 000 ms       –  not comparable",
            "b        0 ms      1 ms       –  not comparable",
            "c           –      1 ms       –  new");
  }

  private static Map<String, MeasuredValue> values(String... lines) {
    var values = new LinkedHashMap<String, MeasuredValue>();
    for (String line : lines) {
      values.put(line.split(" ", 2)[0], MeasuredValue.parse(line.split(" ", 2)[1]));
    }
    return values;
  }
}
