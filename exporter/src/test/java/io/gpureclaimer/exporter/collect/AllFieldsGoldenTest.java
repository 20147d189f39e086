package io.gpureclaimer.exporter.collect;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.time.ManualTime;
import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.exporter.collect.pass.SamplingPass.PassResult;
import io.gpureclaimer.exporter.collect.pass.TextFields;
import io.gpureclaimer.exporter.sample.GpuSample;
import io.gpureclaimer.exporter.sample.GpuSample.Answered;
import io.gpureclaimer.simulator.GpuScript;
import io.gpureclaimer.simulator.Profile;
import io.gpureclaimer.simulator.Script;
import io.gpureclaimer.simulator.SimulatedDriver;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Everything that can be asked, of a busy H100, an idle one, a busy A100 and a busy T4: a row per
 * field, a dash where the card has none. Rewrite the file with {@code ./mvnw test
 * -Dgolden.update=true}, then read the diff.
 */
class AllFieldsGoldenTest {
  private static final Path GOLDEN = Path.of("src/test/resources/golden/all-fields.txt");
  private static final Script SCRIPT =
      Script.of(GpuScript.busy(0, 100), GpuScript.busy(2, 100), GpuScript.busy(3, 100));

  private final ManualTime time = new ManualTime();

  @Test
  void aSecondPassReportsEverythingThatTheCardsHave() throws IOException {
    String text = table(secondPass(wanted()));

    if (Boolean.getBoolean("golden.update")) {
      Files.writeString(GOLDEN, text);
    }
    assertThat(text).isEqualTo(Files.readString(GOLDEN));
  }

  @Test
  void onlyWhatIsWantedIsReported() {
    var sweep = secondPass(Set.of(DcgmField.PROF_SM_ACTIVE, DcgmField.DEV_MEMORY_TEMP));

    assertThat(sweep.gpus())
        .map(AllFieldsGoldenTest::reported)
        .containsExactly(
            Set.of(DcgmField.PROF_SM_ACTIVE, DcgmField.DEV_MEMORY_TEMP),
            Set.of(DcgmField.PROF_SM_ACTIVE, DcgmField.DEV_MEMORY_TEMP),
            Set.of(DcgmField.DEV_MEMORY_TEMP),
            Set.of());
  }

  @Test
  void aNumberThatDoesNotChangeIsThereInWordsToo() {
    var wanted =
        Set.of(DcgmFields.field("DEV_MINOR_NUMBER"), DcgmFields.field("CUDA_DRIVER_VERSION"));

    assertThat(((Answered) secondPass(wanted).gpus().getLast()).texts())
        .containsOnlyKeys(wanted)
        .containsValues("3", "12040");
  }

  @Test
  void anH100ReportsEachOfTheseNumbersInWordsAndAsAReading() {
    var h100 = (Answered) secondPass(TextFields.numbers()).gpus().getFirst();

    assertThat(reported(h100)).isEqualTo(TextFields.numbers());
    assertThat(h100.texts()).containsOnlyKeys(TextFields.numbers());
    assertThat(h100.texts())
        .containsEntry(DcgmFields.field("DEV_PCI_COMBINED_ID"), "590352606")
        .containsEntry(DcgmFields.field("DEV_PLATFORM_MODULE_ID"), "1");
  }

  private PassResult secondPass(Set<DcgmField> wanted) {
    var driver =
        new SimulatedDriver(Profile.named("mixed").orElseThrow(), "node-a", () -> SCRIPT, time);
    try (var node = new SampledNode(driver, AllCollectors.with(time), time, time)) {
      node.run(wanted);
      time.advance(Duration.ofSeconds(1));
      return node.run(wanted);
    }
  }

  private static Set<DcgmField> wanted() {
    return DcgmField.all().stream().collect(Collectors.toUnmodifiableSet());
  }

  private static Set<DcgmField> reported(GpuSample sample) {
    return ((Answered) sample)
        .readings().stream().map(reading -> reading.field()).collect(Collectors.toSet());
  }

  private static String table(PassResult sweep) {
    List<Answered> gpus = sweep.gpus().stream().map(Answered.class::cast).toList();
    return DcgmField.all().stream()
        .map(field -> row(field, gpus))
        .flatMap(Optional::stream)
        .collect(Collectors.joining("\n", "", "\n"));
  }

  private static Optional<String> row(DcgmField field, List<Answered> gpus) {
    List<String> cells = gpus.stream().map(gpu -> cell(field, gpu)).toList();
    return cells.stream().allMatch("-"::equals)
        ? Optional.empty()
        : Optional.of(field.metricName() + " | " + String.join(" | ", cells));
  }

  private static String cell(DcgmField field, Answered gpu) {
    return gpu.readings().stream()
        .filter(reading -> reading.field() == field)
        .map(reading -> Double.toString(reading.value()))
        .findFirst()
        .orElseGet(() -> gpu.texts().getOrDefault(field, "-"));
  }
}
