package io.gpureclaimer.verification.gpupack;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.verification.gpupack.CheckRow.Result;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FieldComparisonTest {
  private static final ComparedField POWER =
      new ComparedField("DCGM_FI_DEV_POWER_USAGE", "power.draw", true, 5, 0.1);
  private static final ComparedField TOTAL =
      new ComparedField("DCGM_FI_DEV_FB_TOTAL", "memory.total", false, 1, 0);

  @Test
  void passes_whenTheReadingLiesBetweenTwoPasses() {
    assertThat(result(POWER, List.of(of(100)), List.of(of(400)), List.of(of(700))))
        .isEqualTo(Result.PASS);
  }

  @ParameterizedTest(name = "{0} beside 100 W: {1}")
  @CsvSource({"110, PASS", "91, PASS", "112, FAIL", "89, FAIL"})
  void allowsTheLargerTolerance(double smi, Result expected) {
    assertThat(result(POWER, List.of(of(100)), List.of(of(smi)), List.of(of(100))))
        .isEqualTo(expected);
  }

  @Test
  void fails_whenOneReadingOfAFixedValueDiffers() {
    var comparison = new FieldComparison(TOTAL);
    for (int i = 0; i < 99; i++) {
      comparison.add(of(81_559), of(81_559), of(81_559));
    }
    comparison.add(of(81_559), of(40_000), of(81_559));

    assertThat(comparison.row().result()).isEqualTo(Result.FAIL);
  }

  @ParameterizedTest(name = "{0} of 10 readings outside: {1}")
  @CsvSource({"1, PASS", "2, FAIL"})
  void allowsOneOutsideReadingInTen_whenTheValueVaries(int outside, Result expected) {
    var comparison = new FieldComparison(POWER);
    for (int i = 0; i < 10; i++) {
      comparison.add(of(100), of(i < outside ? 500 : 100), of(100));
    }

    assertThat(comparison.row().result()).isEqualTo(expected);
  }

  @Test
  void isNotChecked_whenOneOfBothReportsNothing() {
    var onlySmi = new FieldComparison(POWER);
    onlySmi.add(OptionalDouble.empty(), of(0), OptionalDouble.empty());
    var onlyAgent = new FieldComparison(POWER);
    onlyAgent.add(of(0), OptionalDouble.empty(), of(0));

    assertThat(onlySmi.row())
        .extracting(CheckRow::result, CheckRow::found)
        .containsExactly(Result.NOT_CHECKED, "the agent does not report it");
    assertThat(onlyAgent.row())
        .extracting(CheckRow::result, CheckRow::found)
        .containsExactly(Result.NOT_CHECKED, "nvidia-smi does not report it");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "98.42, 98.42",
    "P8, 8",
    "0x0000000000000004, 4",
    "Enabled, 1",
    "Disabled, 0",
    "No, 0",
    "Exclusive_Process, 2"
  })
  void readsValuesOfNvidiaSmi(String text, double expected) {
    assertThat(ComparedField.number(text)).hasValue(expected);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({"[N/A]", "[Not Supported]", "N/A", "[Unknown Error]", "''"})
  void readsNoZero_whenNvidiaSmiReportsNoValue(String text) {
    assertThat(ComparedField.number(text)).isEmpty();
  }

  private static Result result(
      ComparedField field,
      List<OptionalDouble> before,
      List<OptionalDouble> smi,
      List<OptionalDouble> after) {
    var comparison = new FieldComparison(field);
    for (int i = 0; i < smi.size(); i++) {
      comparison.add(before.get(i), smi.get(i), after.get(i));
    }
    return comparison.row().result();
  }

  private static OptionalDouble of(double value) {
    return OptionalDouble.of(value);
  }
}
