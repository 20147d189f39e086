package io.gpureclaimer.exporter.dump;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.common.device.Gpu;
import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.exporter.dump.Dumps.Bounds;
import io.gpureclaimer.exporter.sample.DriverState;
import io.gpureclaimer.exporter.sample.GpuSample;
import io.gpureclaimer.exporter.sample.Holder;
import io.gpureclaimer.exporter.sample.Label;
import io.gpureclaimer.exporter.sample.PassReport;
import io.gpureclaimer.exporter.sample.Reading;
import io.gpureclaimer.exporter.sample.Snapshot;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DumpsTest {
  private static final Instant NOON = Instant.parse("2026-11-21T12:00:00.25Z");
  private static final Gpu GPU =
      new Gpu(0, new GpuUuid("GPU-0"), "00000000:10:00.0", "A \"new\" one");

  private static final String JSON =
      """
      {"at":"2026-11-21T12:00:00.250Z","hostname":"node-a",\
      "driver":{"state":"up","version":"570.86.15"},"gpus":[\
      {"index":0,"uuid":"GPU-0","pciBusId":"00000000:10:00.0","modelName":"A \\"new\\" one",\
      "holders":[{"namespace":"ml","pod":"train-0","container":"main"}],\
      "state":"answered","asked":"2026-11-21T12:00:00.250Z","texts":{"DCGM_FI_DEV_SERIAL":"1\\u0009"},\
      "readings":[{"field":"DCGM_FI_DEV_GPU_TEMP","id":150,"value":41},\
      {"field":"DCGM_FI_DEV_XID_ERRORS","id":230,"err_code":"79","value":79}],\
      "failed":["DCGM_FI_DEV_POWER_USAGE"],"instances":[]},\
      {"index":1,"state":"lost"},{"index":2,"state":"failed","reason":"no permission"}]}
      """;

  @TempDir Path folder;

  @Test
  void writesWhatAPassSaw() throws IOException {
    new Dumps(folder.resolve("new/dumps"), keeping(Duration.ZERO), false).write(snapshot(NOON));

    Path file = folder.resolve("new/dumps/metrics-gpu-20261121-120000-25000000.json");
    assertThat(file).hasContent(JSON.stripTrailing());
  }

  @Test
  void compresses_whenAskedTo() throws IOException {
    new Dumps(folder, keeping(Duration.ZERO), true).write(snapshot(NOON));

    Path file = folder.resolve("metrics-gpu-20261121-120000-25000000.json.gz");
    try (InputStream in = new GZIPInputStream(Files.newInputStream(file))) {
      assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8)).isEqualTo(JSON);
    }
  }

  @Test
  void removesItsOwnFilesOnly_whenTheyAreOld_onceAnHour() throws IOException {
    var dumps = new Dumps(folder, keeping(Duration.ofHours(24)), false);
    Path old = aged("metrics-gpu-20261120-115959-00000000.json.gz", Duration.ofHours(25));
    Path young = aged("metrics-gpu-20261120-130000-00000000.json", Duration.ofHours(23));
    Path others = aged("notes.json", Duration.ofHours(100));
    dumps.write(snapshot(NOON));
    assertThat(old).doesNotExist();
    assertThat(young).exists();
    assertThat(others).exists();

    Path next = aged("metrics-gpu-20261119-000000-00000000.json", Duration.ofHours(50));
    dumps.write(snapshot(NOON.plus(Duration.ofMinutes(59))));
    assertThat(next).exists();
    dumps.write(snapshot(NOON.plus(Duration.ofMinutes(60))));
    assertThat(next).doesNotExist();
  }

  @Test
  void removesNothing_whenFilesAreKeptForEver() throws IOException {
    Path old = aged("metrics-gpu-20161120-115959-00000000.json", Duration.ofDays(3650));
    new Dumps(folder, keeping(Duration.ZERO), false).write(snapshot(NOON));

    assertThat(old).exists();
  }

  @Test
  void goesOn_whenTheDirectoryCannotBeWrittenTo_andWritesWhenItCan() throws IOException {
    Path directory = Files.writeString(folder.resolve("dumps"), "a file is in the way");
    var dumps = new Dumps(directory, keeping(Duration.ofHours(1)), false);
    dumps.write(snapshot(NOON));
    dumps.write(snapshot(NOON.plusSeconds(1)));
    assertThat(directory).hasContent("a file is in the way");

    Files.delete(directory);
    dumps.write(snapshot(NOON.plusSeconds(2)));
    assertThat(directory).isDirectoryContaining(file -> file.toString().contains("-120002-"));
  }

  @Test
  void removesTheOldestOfItsOwn_whenTheyAreTooMany_alsoThoseOfAnEarlierRun() throws IOException {
    Path old = aged("metrics-gpu-20261121-115959-00000000.json.gz", Duration.ofSeconds(1));
    Path others = aged("notes.json", Duration.ofHours(100));
    var dumps = new Dumps(folder, new Bounds(Duration.ZERO, 2, Long.MAX_VALUE), false);
    dumps.write(snapshot(NOON));
    assertThat(old).exists();

    dumps.write(snapshot(NOON.plusSeconds(1)));
    dumps.write(snapshot(NOON.plusSeconds(2)));

    assertThat(names())
        .containsExactlyInAnyOrder(
            "metrics-gpu-20261121-120001-25000000.json",
            "metrics-gpu-20261121-120002-25000000.json",
            others.getFileName().toString());
  }

  @Test
  void removesTheOldest_whenTheyAreTooLargeTogether() throws IOException {
    long size = JSON.getBytes(StandardCharsets.UTF_8).length;
    var dumps = new Dumps(folder, new Bounds(Duration.ZERO, 100, 3 * size - 1), false);
    for (int second = 0; second < 5; second++) {
      dumps.write(snapshot(NOON.plusSeconds(second)));
    }

    assertThat(names())
        .containsExactlyInAnyOrder(
            "metrics-gpu-20261121-120003-25000000.json",
            "metrics-gpu-20261121-120004-25000000.json");
  }

  @Test
  void nobodyElseReadsThem() throws IOException {
    Path directory = folder.resolve("dumps");
    new Dumps(directory, keeping(Duration.ZERO), false).write(snapshot(NOON));

    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory)))
        .isEqualTo("rwx------");
    Path file = directory.resolve("metrics-gpu-20261121-120000-25000000.json");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
  }

  @Test
  void writesNothing_whereTheDirectoryIsALink() throws IOException {
    Path target = Files.createDirectory(folder.resolve("target"));
    Path link = Files.createSymbolicLink(folder.resolve("dumps"), target);

    new Dumps(link, keeping(Duration.ZERO), false).write(snapshot(NOON));

    assertThat(target).isEmptyDirectory();
  }

  @Test
  void overwritesNothing_andRemovesNoLink() throws IOException {
    Path target = Files.writeString(folder.resolve("target"), "somebody's");
    Path inTheWay =
        Files.createSymbolicLink(
            folder.resolve("metrics-gpu-20261121-120000-25000000.json"), target);
    Path old =
        Files.createSymbolicLink(
            folder.resolve("metrics-gpu-20161121-120000-25000000.json"), target);
    Files.setLastModifiedTime(target, FileTime.from(NOON.minus(Duration.ofDays(3650))));

    new Dumps(folder, keeping(Duration.ofHours(1)), false).write(snapshot(NOON));

    assertThat(target).hasContent("somebody's");
    assertThat(inTheWay).isSymbolicLink();
    assertThat(old).isSymbolicLink();
  }

  private static Bounds keeping(Duration retention) {
    return new Bounds(retention, 1_000, 1 << 20);
  }

  private List<String> names() throws IOException {
    try (var files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }

  private Path aged(String name, Duration age) throws IOException {
    Path file = Files.writeString(folder.resolve(name), "{}");
    return Files.setLastModifiedTime(file, FileTime.from(NOON.minus(age)));
  }

  private static Snapshot snapshot(Instant at) {
    return new Snapshot(
        at,
        "node-a",
        new DriverState.Up("570.86.15"),
        List.of(
            new GpuSample.Answered(
                GPU,
                at,
                List.of(
                    new Reading(DcgmField.DEV_GPU_TEMP, 41),
                    new Reading(
                        DcgmField.DEV_XID_ERRORS, 79, List.of(new Label("err_code", "79")))),
                Set.of(DcgmField.DEV_POWER_USAGE),
                Map.of(DcgmField.of(53), "1\t"),
                List.of()),
            new GpuSample.Lost(1, null),
            new GpuSample.Failed(2, null, "no permission")),
        Map.of(Entity.whole(GPU.uuid()), List.of(new Holder("ml", "train-0", "main", null))),
        PassReport.NOTHING_ASKED);
  }
}
