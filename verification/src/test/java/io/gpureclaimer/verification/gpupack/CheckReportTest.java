package io.gpureclaimer.verification.gpupack;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.verification.gpupack.CheckRow.Result;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CheckReportTest {
  private static final CheckRow PASS = new CheckRow("a", "1", "1", Result.PASS);
  private static final CheckRow FAIL = new CheckRow("b", "1", "2", Result.FAIL);
  private static final CheckRow ABSENT = CheckRow.notChecked("c", "1", "no driver");

  @Test
  void exitCodeSaysWhatWasFound() {
    assertThat(report(PASS, ABSENT).exitCode()).isZero();
    assertThat(report(PASS, FAIL).exitCode()).isEqualTo(1);
    assertThat(report(ABSENT).exitCode()).isEqualTo(2);
    assertThat(report().exitCode()).isEqualTo(2);
  }

  @Test
  void writesOneLineForEachCheck() {
    assertThat(report(PASS, FAIL, ABSENT).markdown())
        .contains("Differences found: 1 pass, 1 fail, 1 not checked.")
        .contains("| b | 1 | 2 | **FAIL** |")
        .contains("| c | 1 | no driver | not checked |");
  }

  @Test
  void parsesLinesOfNvidiaSmi() {
    assertThat(
            SmiQuery.parse("GPU-1, 81559, [N/A]\nfailed\n", List.of("uuid", "memory.total", "x")))
        .isEqualTo(Map.of("GPU-1", Map.of("uuid", "GPU-1", "memory.total", "81559", "x", "[N/A]")));
  }

  private static CheckReport report(CheckRow... rows) {
    var report = new CheckReport();
    report.add("Section", List.of(rows));
    return report;
  }
}
