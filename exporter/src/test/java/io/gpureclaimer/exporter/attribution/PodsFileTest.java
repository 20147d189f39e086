package io.gpureclaimer.exporter.attribution;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.exporter.attribution.SourceState.OfFile;
import io.gpureclaimer.exporter.sample.DeviceAssignment;
import io.gpureclaimer.exporter.sample.Holder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PodsFileTest {
  private static final Holder TRAIN = new Holder("ml", "train-0", "main", "0f3c");
  private static final Attribution GOOD =
      new Attribution(
          Map.of(Entity.whole(new GpuUuid("GPU-a")), List.of(DeviceAssignment.of(TRAIN))),
          new OfFile(true));
  private static final String ENTRY =
      "- {device: GPU-a, namespace: ml, pod: train-0, container: main, uid: 0f3c}\n";

  @TempDir Path folder;
  private Path file;
  private PodsFile pods;
  private int writes;

  @BeforeEach
  void prepare() {
    file = folder.resolve("pods.yaml");
    pods = new PodsFile(file);
  }

  @Test
  void readsWhoHoldsWhat() throws IOException {
    write(ENTRY);

    assertThat(now()).isEqualTo(GOOD);
  }

  @Test
  void understandsTheOtherNamesOfADevice_onceTheDevicesAreKnown() throws IOException {
    write("- {device: nvidia1/gi2, namespace: ml, pod: train-0, container: main, uid: 0f3c}");
    var gpu = new GpuUuid("GPU-b");

    assertThat(now().holdings()).isEmpty();
    assertThat(pods.now(new DeviceLookup(Map.of(), Map.of(1, gpu), Map.of())).holdings())
        .isEqualTo(Map.of(Entity.instance(gpu, 2), List.of(DeviceAssignment.of(TRAIN))));
  }

  @Test
  void readsAgain_whenTheFileChanges() throws IOException {
    write(ENTRY);
    now();
    write("[]");

    assertThat(now()).isEqualTo(new Attribution(Map.of(), new OfFile(true)));
  }

  @Test
  void keepsTheLastGoodOne_whenTheFileIsBad() throws IOException {
    write(ENTRY);
    now();
    write(ENTRY + "- {device: GPU-b}\n");

    assertThat(now()).isEqualTo(new Attribution(GOOD.holdings(), new OfFile(false)));
  }

  @Test
  void keepsTheLastGoodOne_whenTheFileIsGone_andRecoversWhenItReturns() throws IOException {
    write(ENTRY);
    now();
    Files.delete(file);
    assertThat(now()).isEqualTo(new Attribution(GOOD.holdings(), new OfFile(false)));
    write(ENTRY);

    assertThat(now()).isEqualTo(GOOD);
  }

  @Test
  void knowsNoHolder_whenTheFileWasNeverThere() {
    assertThat(now()).isEqualTo(new Attribution(Map.of(), new OfFile(false)));
  }

  @Test
  void readsAFileOfTheLargestSize() throws IOException {
    write(ENTRY + "#".repeat(256 * 1024 - ENTRY.length()));

    assertThat(now()).isEqualTo(GOOD);
  }

  @Test
  void keepsTheLastGoodOne_whenTheFileIsTooLarge() throws IOException {
    write(ENTRY);
    now();
    write(ENTRY + "#".repeat(256 * 1024 - ENTRY.length() + 1));

    assertThat(now()).isEqualTo(new Attribution(GOOD.holdings(), new OfFile(false)));
  }

  @Test
  void knowsNoHolder_beforeTheFileWasRead_andWhatItLastSaidWhileItIsNotReadAgain()
      throws IOException {
    write(ENTRY);
    assertThat(pods.now(DeviceLookup.EMPTY))
        .isEqualTo(new Attribution(Map.of(), new OfFile(false)));
    pods.refresh();
    write("[]");

    assertThat(pods.now(DeviceLookup.EMPTY)).isEqualTo(GOOD);
  }

  @Test
  void doesNotReadAgain_whenNothingChanged() throws IOException {
    write(ENTRY);

    assertThat(now()).isSameAs(now());
  }

  private Attribution now() {
    pods.refresh();
    return pods.now(DeviceLookup.EMPTY);
  }

  private void write(String text) throws IOException {
    Files.writeString(file, text);
    Files.setLastModifiedTime(file, FileTime.from(Instant.ofEpochSecond(1_000_000 + writes++)));
  }
}
