package io.gpureclaimer.exporter.collect;

import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.common.vocabulary.FieldSource;
import io.gpureclaimer.common.vocabulary.ValueForm;
import io.gpureclaimer.exporter.collect.fields.GpmCollector;
import io.gpureclaimer.exporter.collect.pass.TextFields;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Each field of the catalogue is reported by exactly one collector. */
class CatalogueTest {
  private static final List<Collector> COLLECTORS = AllCollectors.with(System::nanoTime);

  /**
   * By number: what the driver could report and is not queried, because it is no reading of a GPU.
   */
  private static final Set<Integer> NOT_ASKED =
      Set.of(3, 4, 68, 69, 70, 71, 72, 73, 86, 87, 88, 89, 94, 120);

  /** By number: what comes from events, not from a collector. */
  private static final Set<Integer> FROM_EVENTS = Set.of(230);

  @Test
  void everyFieldThatTheDriverSuppliesIsReportedByOneCollector() {
    List<Integer> reported = reported();
    AllCollectors.computed().stream()
        .flatMap(collector -> collector.fields().stream())
        .filter(field -> isReadFromTheDriver(field.source()))
        .map(DcgmField::id)
        .filter(id -> !FROM_EVENTS.contains(id))
        .forEach(reported::add);

    assertThat(reported).doesNotHaveDuplicates();
    Set<Integer> promised =
        DcgmField.all().stream()
            .filter(field -> isReadFromTheDriver(field.source()))
            .map(DcgmField::id)
            .filter(id -> !NOT_ASKED.contains(id) && !FROM_EVENTS.contains(id))
            .collect(toCollection(TreeSet::new));
    assertThat(new TreeSet<>(reported)).isEqualTo(promised);
  }

  @Test
  void textsAreWordsAndReadingsAreNumbers() {
    assertThat(TextFields.texts()).allMatch(field -> field.form() == ValueForm.TEXT);
    assertThat(COLLECTORS)
        .flatMap(Collector::fields)
        .noneMatch(field -> field.form() == ValueForm.TEXT);
  }

  @Test
  void profilingIsReportedByMeasuringOnly() {
    Set<DcgmField> profiling =
        DcgmField.all().stream()
            .filter(field -> field.source() == FieldSource.GPM)
            .collect(toCollection(HashSet::new));

    assertThat(new GpmCollector().fields()).isEqualTo(profiling);
  }

  private static boolean isReadFromTheDriver(FieldSource source) {
    return source == FieldSource.NVML || source == FieldSource.GPM;
  }

  private static List<Integer> reported() {
    List<Integer> reported = new ArrayList<>();
    COLLECTORS.forEach(collector -> collector.fields().forEach(field -> reported.add(field.id())));
    TextFields.texts().forEach(field -> reported.add(field.id()));
    return reported;
  }
}
