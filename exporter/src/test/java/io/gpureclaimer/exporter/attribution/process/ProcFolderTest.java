package io.gpureclaimer.exporter.attribution.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.exporter.attribution.process.ProcessLocation.ContainerRef;
import io.gpureclaimer.exporter.attribution.process.ProcessLocation.Gone;
import io.gpureclaimer.exporter.attribution.process.ProcessLocation.Hidden;
import io.gpureclaimer.exporter.attribution.process.ProcessLocation.In;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcFolderTest {
  private static final String UID = "0f3c2b1a-1111-4000-8000-0123456789ab";
  private static final String CONTAINER = "8a9b".repeat(16);

  @TempDir Path folder;

  @Test
  void reportsWhereAProcessIs() throws IOException {
    write(4711, "cgroup", "0::/kubepods/pod" + UID + "/" + CONTAINER + "\n");

    assertThat(new ProcFolder(folder).of(4711))
        .isEqualTo(new In(List.of(new ContainerRef(UID, CONTAINER))));
  }

  @Test
  void reportsThatAProcessIsInNoPod() throws IOException {
    write(4711, "cgroup", "0::/init.scope\n");

    assertThat(new ProcFolder(folder).of(4711)).isEqualTo(new In(List.of()));
  }

  @Test
  void reportsThatAProcessIsGone() {
    assertThat(new ProcFolder(folder).of(4711)).isEqualTo(new Gone());
  }

  @Test
  void saysThatItDoesNotKnow_whenTheFileCannotBeRead() throws IOException {
    Files.createDirectories(folder.resolve("4711").resolve("cgroup"));

    assertThat(new ProcFolder(folder).of(4711)).isInstanceOf(Hidden.class);
  }

  @Test
  void isOfTheHost_whenTheKernelsOwnProcessIsThere() throws IOException {
    write(2, "comm", "kthreadd\n");

    assertThat(new ProcFolder(folder).isOfHost()).isTrue();
  }

  @Test
  void isNotOfTheHost_whenTheSecondProcessIsAnyOther_orNone() throws IOException {
    assertThat(new ProcFolder(folder).isOfHost()).isFalse();
    write(2, "comm", "sh\n");
    assertThat(new ProcFolder(folder).isOfHost()).isFalse();
  }

  private void write(long pid, String name, String text) throws IOException {
    Path process = Files.createDirectories(folder.resolve(Long.toString(pid)));
    Files.writeString(process.resolve(name), text);
  }
}
