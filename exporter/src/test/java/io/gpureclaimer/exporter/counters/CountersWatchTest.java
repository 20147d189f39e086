package io.gpureclaimer.exporter.counters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.exporter.counters.CountersWatch.Reload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CountersWatchTest {
  private static final String WARMTH = "DCGM_FI_DEV_GPU_TEMP,gauge,x\n";
  private static final String POWER = "DCGM_FI_DEV_POWER_USAGE,gauge,x\n";

  @TempDir private Path folder;

  @Test
  void takesUpTheFirstFile() throws IOException {
    write(WARMTH);

    assertThat(inForce(begin())).containsExactly("DCGM_FI_DEV_GPU_TEMP");
  }

  @Test
  void refusesToBegin_whenTheFirstFileIsBad() throws IOException {
    write("# x\nDCGM_FI_DEV_GPU_TMP,gauge,x\n");

    assertThatIllegalArgumentException()
        .isThrownBy(this::begin)
        .withMessage(
            name()
                + ": line 2, column 1: no field is called \"DCGM_FI_DEV_GPU_TMP\";"
                + " did you mean DCGM_FI_DEV_GPU_TEMP?");
  }

  @Test
  void refusesToBegin_whenThereIsNoFile() {
    assertThatIllegalArgumentException()
        .isThrownBy(this::begin)
        .withMessage(name() + ": no such file");
  }

  @Test
  void takesUpAnotherFile_onceItStaysTheSame() throws IOException {
    write(WARMTH);
    var watch = begin();
    write(POWER);

    assertThat(watch.refresh(false)).isEqualTo(Reload.UNCHANGED);
    assertThat(watch.refresh(false)).isEqualTo(Reload.LOADED);
    assertThat(watch.refresh(false)).isEqualTo(Reload.UNCHANGED);
    assertThat(inForce(watch)).containsExactly("DCGM_FI_DEV_POWER_USAGE");
  }

  @Test
  void waits_whileTheFileIsBeingWritten() throws IOException {
    write(WARMTH);
    var watch = begin();
    for (String half : List.of("", "DCGM_", "DCGM_FI_DEV_POWER_USAGE,ga", POWER)) {
      write(half);
      assertThat(watch.refresh(false)).isEqualTo(Reload.UNCHANGED);
    }
    assertThat(watch.refresh(false)).isEqualTo(Reload.LOADED);
  }

  @Test
  void isNotDisturbed_whenAFileIsAwayForOneLook() throws IOException {
    write(WARMTH);
    var watch = begin();
    remove();
    assertThat(watch.refresh(false)).isEqualTo(Reload.UNCHANGED);
    write(WARMTH);

    assertThat(watch.refresh(false)).isEqualTo(Reload.UNCHANGED);
    assertThat(watch.refresh(false)).isEqualTo(Reload.UNCHANGED);
  }

  @Test
  void keepsTheLastGoodFile_whenItTurnsBad_andComplainsOnce() throws IOException {
    write(WARMTH);
    var watch = begin();
    write("nonsense");
    watch.refresh(false);

    assertThat(watch.refresh(false)).isEqualTo(Reload.REJECTED);
    assertThat(watch.refresh(false)).isEqualTo(Reload.UNCHANGED);
    assertThat(inForce(watch)).containsExactly("DCGM_FI_DEV_GPU_TEMP");
  }

  @Test
  void keepsTheLastGoodFile_whenItIsRemoved_andTakesItUpAgainWhenItReturns() throws IOException {
    write(WARMTH);
    var watch = begin();
    remove();
    watch.refresh(false);
    assertThat(watch.refresh(false)).isEqualTo(Reload.REJECTED);
    write(WARMTH);
    watch.refresh(false);

    assertThat(watch.refresh(false)).isEqualTo(Reload.LOADED);
  }

  @Test
  void judgesAtOnce_whenAskedTo() throws IOException {
    write(WARMTH);
    var watch = begin();
    write(POWER);

    assertThat(watch.refresh(true)).isEqualTo(Reload.LOADED);
    assertThat(watch.refresh(false)).isEqualTo(Reload.UNCHANGED);
    assertThat(watch.refresh(true)).isEqualTo(Reload.LOADED);
    write("nonsense");
    assertThat(watch.refresh(true)).isEqualTo(Reload.REJECTED);
  }

  private CountersWatch begin() {
    return CountersWatch.begin(
        CountersFile.of(file(), MetricNaming.CLASSIC),
        new CountersGrammar(MetricNaming.CLASSIC, Set.copyOf(DcgmField.all()), Set.of()),
        Set.of(DcgmField.DEV_GPU_UTIL),
        InstantSource.fixed(Instant.EPOCH));
  }

  private static List<String> inForce(CountersWatch watch) {
    return watch.current().get().set().counters().stream().map(Counter::name).toList();
  }

  private Path file() {
    return folder.resolve("counters.csv");
  }

  private String name() {
    return "counters file " + file();
  }

  private void write(String text) throws IOException {
    Files.writeString(file(), text);
  }

  private void remove() throws IOException {
    Files.delete(file());
  }
}
