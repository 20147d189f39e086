package io.gpureclaimer.exporter.attribution;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.exporter.sample.Jobs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HpcJobFolderTest {
  private static final GpuUuid A = new GpuUuid("GPU-a");
  private static final GpuUuid B = new GpuUuid("GPU-b");
  private static final DeviceLookup DEVICES =
      new DeviceLookup(Map.of(0, A, 1, B), Map.of(0, B, 1, A), Map.of());

  @TempDir Path folder;

  @Test
  void reportsTheJobsOfEachGpu_aLineForEach() throws IOException {
    write("0", "4711\n 4712 \r\n\n4711\n");
    write("1.3", "array_7");

    assertThat(content())
        .isEqualTo(
            jobs(
                0,
                Map.of(
                    Entity.whole(A), List.of("4711", "4712"),
                    Entity.instance(B, 3), List.of("array_7"))));
  }

  @Test
  void reportsNoJob_whenTheFileIsEmpty_orTheGpuIsNotThere_orItsNameIsNoDevice() throws IOException {
    write("0", "\n \n");
    write("7", "4711");
    write("1.", "4711");
    write("01", "4711");
    write("1.3.5", "4711");
    write("README", "4711");

    assertThat(content()).isEqualTo(jobs(0, Map.of()));
  }

  @Test
  void aBadFileCostsOnlyItself() throws IOException {
    Files.createDirectory(folder.resolve("0"));
    Files.write(folder.resolve("0.1"), new byte[] {(byte) 0xff, (byte) 0xfe});
    write("0.2", "x".repeat(65 * 1024));
    write("0.3", "job\n".repeat(3) + lines(257));
    write("1", "4711");

    assertThat(content()).isEqualTo(jobs(4, Map.of(Entity.whole(B), List.of("4711"))));
  }

  @Test
  void reportsNoJobs_whenTheFolderIsMissing() throws IOException {
    Files.delete(folder);

    assertThat(content()).isEqualTo(jobs(1, Map.of()));
  }

  @Test
  void followsWhatTheSchedulerWrites() throws IOException {
    var jobs = new HpcJobFolder(folder);
    assertThat(jobs.now(DEVICES)).isEqualTo(jobs(0, Map.of()));
    write("0", "4711");
    jobs.refresh();
    assertThat(jobs.now(DEVICES)).isEqualTo(jobs(0, Map.of(Entity.whole(A), List.of("4711"))));
    Files.delete(folder.resolve("0"));
    jobs.refresh();
    assertThat(jobs.now(DEVICES)).isEqualTo(jobs(0, Map.of()));
  }

  private Jobs content() {
    var jobs = new HpcJobFolder(folder);
    jobs.refresh();
    return jobs.now(DEVICES);
  }

  private static Jobs jobs(int bad, Map<Entity, List<String>> byDevice) {
    return new Jobs(byDevice, OptionalInt.of(bad));
  }

  private static String lines(int count) {
    var text = new StringBuilder();
    for (int i = 0; i < count; i++) {
      text.append(i).append('\n');
    }
    return text.toString();
  }

  private void write(String name, String text) throws IOException {
    Files.writeString(folder.resolve(name), text);
  }
}
