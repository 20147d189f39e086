package io.gpureclaimer.exporter.counters;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.common.vocabulary.MetricType;
import io.gpureclaimer.exporter.counters.CounterSet.LabelRow;
import io.gpureclaimer.exporter.counters.CountersGrammar.CountersParseResult;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MetricNamingTest {

  @Test
  void hasAFixedOrderOfNames() {
    assertThat(MetricNaming.names()).containsExactly("classic", "1.x", "dcgm-4.7");
    assertThat(MetricNaming.named("1.x")).contains(MetricNaming.LEGACY);
    assertThat(MetricNaming.named("2.x")).isEmpty();
  }

  @Test
  void theClassicFileServesWhatTheDefaultFileOfDcgmExporterDoes() {
    var set = builtIn(MetricNaming.CLASSIC);

    assertThat(set.counters())
        .extracting(counter -> counter.field().id())
        .containsExactly(
            100, 101, 140, 150, 155, 156, 202, 203, 204, 206, 207, 230, 251, 252, 253, 393, 394,
            395, 449, 526, 1001, 1004, 1005, 1009, 1010);
    assertThat(set.counters()).allMatch(it -> it.name().equals(it.field().metricName()));
    assertThat(set.counters())
        .filteredOn(counter -> counter.type() == MetricType.COUNTER)
        .extracting(counter -> counter.field().id())
        .containsExactly(156, 202, 393, 394);
    assertThat(set.labels())
        .containsExactly(new LabelRow(DcgmField.DRIVER_VERSION, "DCGM_FI_DRIVER_VERSION"));
  }

  @Test
  void theLegacyFileServesLowerCaseNamesOnly() {
    var set = builtIn(MetricNaming.LEGACY);

    assertThat(set.counters())
        .hasSize(22)
        .allMatch(counter -> counter.field().legacyName().orElseThrow().equals(counter.name()));
    assertThat(set.labels()).isEmpty();
  }

  @Test
  void theFileOfBaseUnitsServesTheSameFieldsAsTheClassicOne_andTheWholeMemory() {
    var classic = builtIn(MetricNaming.CLASSIC);
    var set = builtIn(MetricNaming.BASE_UNITS);

    assertThat(set.wanted())
        .containsExactlyInAnyOrderElementsOf(
            Stream.concat(classic.wanted().stream(), Stream.of(DcgmField.of(250))).toList());
    assertThat(set.counters()).filteredOn(counter -> counter.factor() != 1).hasSize(12);
    assertThat(set.labels())
        .containsExactly(new LabelRow(DcgmField.DRIVER_VERSION, "DCGM_FI_SYSTEM_DRIVER_VERSION"));
  }

  /** A row that is commented out is meant to be taken in by removing the sign. */
  @ParameterizedTest
  @EnumSource(MetricNaming.class)
  void theRowsThatAreCommentedOutAreGoodRows(MetricNaming vocabulary) {
    var all =
        vocabulary
            .builtIn()
            .lines()
            .map(line -> line.matches("# (DCGM_|dcgm_).*") ? line.substring(2) : line)
            .toList();

    assertThat(all).hasSizeGreaterThan(40);
    assertThat(grammar(vocabulary).parse(String.join("\n", all)))
        .isInstanceOfSatisfying(
            CountersParseResult.Parsed.class,
            parsed -> assertThat(parsed.set().skipped()).isEmpty());
  }

  @Test
  void theLegacyFileNamesAllFortyOne_withItsComments() {
    List<String> rows =
        MetricNaming.LEGACY.builtIn().lines().filter(line -> line.matches("(# )?dcgm_.*")).toList();

    assertThat(rows).hasSize(41);
  }

  private static CounterSet builtIn(MetricNaming vocabulary) {
    return grammar(vocabulary).builtIn();
  }

  private static CountersGrammar grammar(MetricNaming vocabulary) {
    return new CountersGrammar(vocabulary, Set.copyOf(DcgmField.all()), Set.of());
  }
}
