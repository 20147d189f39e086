package io.gpureclaimer.exporter.counters;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.exporter.counters.CountersGrammar.CountersParseResult.Parsed;
import io.gpureclaimer.exporter.counters.CountersGrammar.CountersParseResult.Refused;
import java.util.ArrayList;
import java.util.Set;
import java.util.regex.Pattern;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;

/** Whatever a file says, it is a refusal that names the place, or metrics with good names. */
class CountersGrammarPropertyTest {
  private static final Pattern NAME = Pattern.compile("[a-zA-Z_][a-zA-Z0-9_]*");

  private final CountersGrammar grammar =
      new CountersGrammar(MetricNaming.CLASSIC, Set.copyOf(DcgmField.all()), Set.of());

  @Property
  @Tag("fuzz")
  void isUnderstoodOrRefused_whateverTheText(@ForAll String text) {
    check(text);
  }

  @Property
  @Tag("fuzz")
  void isUnderstoodOrRefused_whenTheTextIsMadeOfPiecesOfRealOnes(@ForAll("rows") String text) {
    check(text);
  }

  @Provide
  Arbitrary<String> rows() {
    var pieces =
        Arbitraries.of(
            "DCGM_FI_DEV_GPU_TEMP",
            "DCGM_FI_DEV_SERIAL",
            "DCGM_FI_DEV_NVSWITCH_LINK_ID",
            "DCGM_EXP_P2P_STATUS",
            "dcgm_power_usage",
            "dcgm_power",
            ",",
            ",",
            ", ",
            "gauge",
            "label",
            "counter",
            "\n",
            "\n",
            "\r\n",
            "#",
            "\"",
            "\"\"",
            " ",
            "\\",
            "\u0000",
            "é𝄞");
    return pieces.list().ofMaxSize(40).map(list -> String.join("", list));
  }

  private void check(String text) {
    switch (grammar.parse(text)) {
      case Parsed(var set) -> {
        var names = new ArrayList<>(set.counters().stream().map(Counter::name).toList());
        set.labels().forEach(label -> names.add(label.name()));
        assertThat(names).doesNotHaveDuplicates().allMatch(name -> NAME.matcher(name).matches());
        assertThat(names.size() + set.skipped().size()).isPositive();
      }
      case Refused refused ->
          assertThat(refused.problems())
              .allMatch(problem -> problem.line() >= 1 && problem.column() >= 1)
              .allMatch(problem -> problem.line() <= text.split("\n", -1).length)
              .allMatch(problem -> problem.toString().lines().count() == 1);
    }
  }
}
