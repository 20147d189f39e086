package io.gpureclaimer.exporter.counters;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.common.vocabulary.MetricType;
import io.gpureclaimer.exporter.counters.CounterSet.LabelRow;
import io.gpureclaimer.exporter.counters.CounterSet.UnservedRow;
import io.gpureclaimer.exporter.counters.CountersGrammar.CountersParseResult;
import io.gpureclaimer.exporter.counters.CountersGrammar.CountersParseResult.CountersProblem;
import io.gpureclaimer.exporter.counters.CountersGrammar.CountersParseResult.Parsed;
import io.gpureclaimer.exporter.counters.CountersGrammar.CountersParseResult.Refused;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class CountersGrammarTest {
  private static final Set<DcgmField> EVERYTHING = Set.copyOf(DcgmField.all());
  private static final CountersGrammar CLASSIC =
      new CountersGrammar(MetricNaming.CLASSIC, EVERYTHING, Set.of());

  private static final Counter TEMPERATURE =
      new Counter(DcgmField.DEV_GPU_TEMP, "DCGM_FI_DEV_GPU_TEMP", MetricType.GAUGE, "Warmth");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "DCGM_FI_DEV_GPU_TEMP,gauge,Warmth",
        "DCGM_FI_DEV_GPU_TEMP,gauge,Warmth\n",
        "\uFEFFDCGM_FI_DEV_GPU_TEMP,gauge,Warmth\n",
        "\uFEFF# a comment\r\nDCGM_FI_DEV_GPU_TEMP,gauge,Warmth\r\n",
        "\n# a comment, with commas, and a \" quote\n\nDCGM_FI_DEV_GPU_TEMP,gauge,Warmth\r\n\r\n",
        " DCGM_FI_DEV_GPU_TEMP ,\tgauge\t,  Warmth  \n",
        "\"DCGM_FI_DEV_GPU_TEMP\",\"gauge\",\"Warmth\"\n",
        "DCGM_FI_DEV_GPU_TEMP,gauge,\" Warmth\n\"\n"
      })
  void readsARow(String text) {
    assertThat(CLASSIC.parse(text)).isEqualTo(parsed(List.of(TEMPERATURE), List.of(), List.of()));
  }

  @Test
  void takesAHelpTextAsItStandsInQuotes() {
    assertThat(set("DCGM_FI_DEV_GPU_TEMP,gauge,\"a, \"\"b\"\"\nc\\\"").counters())
        .singleElement()
        .extracting(Counter::help)
        .isEqualTo("a, \"b\"\nc\\");
  }

  @ParameterizedTest
  @EnumSource(MetricType.class)
  void takesEveryTypeAtItsWord(MetricType type) {
    assertThat(set("DCGM_EXP_XID_ERRORS_COUNT," + type.text() + ",x").counters())
        .singleElement()
        .extracting(Counter::type)
        .isEqualTo(type);
  }

  @Test
  void makesALabelOfALabelRow() {
    assertThat(set("DCGM_FI_SYSTEM_DRIVER_VERSION, label, Driver Version").labels())
        .containsExactly(new LabelRow(DcgmField.DRIVER_VERSION, "DCGM_FI_SYSTEM_DRIVER_VERSION"));
  }

  @Test
  void callsAMetricAsTheRowDoes() {
    assertThat(set("dcgm_gpu_temp,gauge,x\nDCGM_FI_DEV_GPU_TEMP_CELSIUS,gauge,y").counters())
        .containsExactly(
            new Counter(DcgmField.DEV_GPU_TEMP, "dcgm_gpu_temp", MetricType.GAUGE, "x"),
            new Counter(
                DcgmField.DEV_GPU_TEMP, "DCGM_FI_DEV_GPU_TEMP_CELSIUS", MetricType.GAUGE, "y"));
  }

  @ParameterizedTest
  @CsvSource({
    "CLASSIC,    DCGM_FI_DEV_GPU_UTIL_RATIO,         203, 1",
    "LEGACY,     DCGM_FI_DEV_GPU_UTIL_RATIO,         203, 1",
    "BASE_UNITS, DCGM_FI_DEV_GPU_UTIL_RATIO,         203, 0.01",
    "BASE_UNITS, DCGM_FI_DEV_GPU_UTIL,               203, 1",
    "BASE_UNITS, dcgm_gpu_utilization,               203, 1",
    "CLASSIC,    DCGM_FI_DEV_SM_CLOCK_HERTZ,         100, 1e6",
    "BASE_UNITS, DCGM_FI_DEV_GPU_ENERGY_JOULES_TOTAL, 156, 1e-3",
    "BASE_UNITS, DCGM_FI_DEV_FB_USED_BYTES,          252, 1048576",
    "BASE_UNITS, DCGM_FI_DEV_NVLINK_THROUGHPUT_L17_BYTES_PER_SECOND, 496, 1024000"
  })
  void convertsToTheUnitThatTheNamePromises(
      MetricNaming vocabulary, String name, int id, double factor) {
    assertThat(new CountersGrammar(vocabulary, EVERYTHING, Set.of()).parse(name + ",gauge,x"))
        .isEqualTo(
            parsed(
                List.of(new Counter(DcgmField.of(id), name, MetricType.GAUGE, "x", factor)),
                List.of(),
                List.of()));
  }

  @Test
  void theFirstOfTwoRowsOfOneNameIsServed_andTheOtherListed() {
    assertThat(CLASSIC.parse("DCGM_FI_DEV_GPU_TEMP,gauge,Warmth\n\nDCGM_FI_DEV_GPU_TEMP,label,b"))
        .isEqualTo(
            parsed(
                List.of(TEMPERATURE),
                List.of(),
                List.of(new UnservedRow(3, "DCGM_FI_DEV_GPU_TEMP", "stands in line 1 already"))));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          DCGM_FI_DEV_NVSWITCH_POWER_VDD,gauge  | belongs to an NVSwitch, which NVML does not reach
          DCGM_FI_DEV_NVSWITCH_DEVICE_UUID,label | belongs to an NVSwitch, which NVML does not reach
          DCGM_FI_DEV_CPU_UTIL_TOTAL,gauge      | belongs to a Grace CPU, which NVML does not reach
          DCGM_FI_IMEX_DAEMON_STATUS,gauge      | belongs to the IMEX service, which NVML does not reach
          DCGM_FI_DEV_MIG_GI_INFO,gauge         | is a structure, not a number
          DCGM_FI_DEV_SERIAL,gauge              | is a text, which can be a label and no metric
          DCGM_FI_DEV_MIG_MODE,label            | is a number that changes, which can be a metric and no label
          DCGM_EXP_XID_ERRORS_COUNT,label       | has several values, and a label has one
          DCGM_FI_DEV_PSTATE,gauge              | is not read by this version
          """)
  void acceptsWhatItCannotServe_andSaysWhy(String row, String reason) {
    var grammar =
        new CountersGrammar(MetricNaming.CLASSIC, Set.of(DcgmField.DEV_GPU_TEMP), Set.of());

    assertThat(grammar.parse("DCGM_FI_DEV_GPU_TEMP,gauge,Warmth\n" + row + ",x\n"))
        .isEqualTo(
            parsed(
                List.of(TEMPERATURE),
                List.of(),
                List.of(new UnservedRow(2, row.substring(0, row.indexOf(',')), reason))));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          DCGM_FI_DEV_GPU_TMP,gauge,x          | 1 | 1  | no field is called "DCGM_FI_DEV_GPU_TMP"; did you mean DCGM_FI_DEV_GPU_TEMP?
          dcgm_fi_dev_gpu_temp,gauge,x         | 1 | 1  | no field is called "dcgm_fi_dev_gpu_temp"
          Nonsense,gauge,x                     | 1 | 1  | no field is called "Nonsense"
          DCGM_FI_DEV_GPU_TEMP, guage, x       | 1 | 23 | the type must be one of gauge, counter, histogram, summary, untyped, label, was "guage"; did you mean gauge?
          DCGM_EXP_XID_ERRORS_COUNT,tally,x    | 1 | 27 | the type must be one of gauge, counter, histogram, summary, untyped, label, was "tally"
          DCGM_FI_DEV_GPU_TEMP,Gauge,x         | 1 | 22 | the type must be one of gauge, counter, histogram, summary, untyped, label, was "Gauge"; did you mean gauge?
          DCGM_FI_DEV_GPU_TEMP                 | 1 | 1  | expected field, type and help, found 1 column
          DCGM_FI_DEV_GPU_TEMP,gauge           | 1 | 1  | expected field, type and help, found 2 columns
          DCGM_FI_DEV_GPU_TEMP,gauge,a, b      | 1 | 1  | expected field, type and help, found 4 columns; put a help text with a comma in quotes
          ` # not a comment`                   | 1 | 2  | expected field, type and help, found 1 column
          DCGM_FI_DEV_GPU_TEMP,gauge, "x"      | 1 | 29 | a quote stands in a cell that does not begin with a quote
          DCGM_FI_DEV_GPU_TEMP,gauge,5" disk   | 1 | 29 | a quote stands in a cell that does not begin with a quote
          DCGM_FI_DEV_GPU_TEMP,gauge,"x" y     | 1 | 30 | a quote that closes a cell must be followed by a comma or the line's end
          DCGM_FI_DEV_GPU_TEMP,gauge,"x        | 1 | 28 | a quote is opened and never closed
          ` `                                  | 1 | 2  | expected field, type and help, found 1 column
          """)
  void refusesARow(String text, int line, int column, String reason) {
    assertThat(CLASSIC.parse(text))
        .isEqualTo(new Refused(List.of(new CountersProblem(line, column, reason))));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\n\n", "# nothing but a comment\n"})
  void refusesAFileWithoutRows(String text) {
    assertThat(CLASSIC.parse(text))
        .isEqualTo(
            new Refused(
                List.of(
                    new CountersProblem(
                        1, 1, "expected rows of field, type and help, found none"))));
  }

  @Test
  void reportsAllProblems_andThePlacesAfterCellsOfSeveralLines() {
    String text =
        """
        # counters\r
        DCGM_FI_DEV_GPU_TEMP,gauge,"two
        lines"
        Nonsense,gauge,x
        DCGM_FI_DEV_POWER_USAGE,𝄞,x
        """;

    assertThat(CLASSIC.parse(text))
        .isInstanceOfSatisfying(
            Refused.class,
            refused -> {
              assertThat(refused.problems())
                  .extracting(problem -> problem.line() + ":" + problem.column())
                  .containsExactly("4:1", "5:25");
              assertThat(refused.inOneLine())
                  .isEqualTo("line 4, column 1: no field is called \"Nonsense\" (and 1 more)");
            });
  }

  @Test
  void doesNotReadOnForever_whenEveryRowIsWrong() {
    assertThat(CLASSIC.parse("x,y,z\n".repeat(10_000)))
        .isInstanceOfSatisfying(
            Refused.class, refused -> assertThat(refused.problems()).hasSizeLessThan(30));
  }

  private static CounterSet set(String text) {
    assertThat(CLASSIC.parse(text)).isInstanceOf(Parsed.class);
    return ((Parsed) CLASSIC.parse(text)).set();
  }

  private static Parsed parsed(
      List<Counter> counters, List<LabelRow> labels, List<UnservedRow> skipped) {
    return new Parsed(new CounterSet(counters, labels, skipped));
  }

  @Test
  void aNumberThatDoesNotChangeCanBeALabel() {
    var minor = DcgmField.of(55);
    var grammar =
        new CountersGrammar(MetricNaming.CLASSIC, Set.copyOf(DcgmField.all()), Set.of(minor));

    assertThat(grammar.parse("DCGM_FI_DEV_MINOR_NUMBER, label, help\n"))
        .isEqualTo(
            new CountersParseResult.Parsed(
                new CounterSet(
                    List.of(), List.of(new LabelRow(minor, minor.metricName())), List.of())));
  }
}
