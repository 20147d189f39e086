package io.gpureclaimer.common.files;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.files.ReloadingFile.Refresh;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReloadingFileTest {
  @TempDir private Path folder;

  private final AtomicInteger parsed = new AtomicInteger();
  private Path path;
  private ReloadingFile<Integer> file;

  @BeforeEach
  void nameTheFile() {
    path = folder.resolve("number");
    file = new ReloadingFile<>(path, 8, this::parse);
  }

  private Integer parse(String text) {
    parsed.incrementAndGet();
    if (!text.matches("[0-9]+")) {
      throw new IllegalArgumentException("must be a number, was " + text);
    }
    return Integer.valueOf(text);
  }

  @Test
  void loadsTheFile_onlyWhenItHasChanged() throws IOException {
    Files.writeString(path, "1");

    assertThat(file.refresh()).isEqualTo(new Refresh.Loaded<>(1));
    assertThat(file.refresh()).isEqualTo(new Refresh.Unchanged<>());
    Files.writeString(path, "22");
    assertThat(file.refresh()).isEqualTo(new Refresh.Loaded<>(22));
    assertThat(parsed).hasValue(2);
  }

  @Test
  void keepsTheLastGoodValue_whileTheFileIsWrong() throws IOException {
    Files.writeString(path, "1");
    file.refresh();
    Files.writeString(path, "one");

    assertThat(file.refresh())
        .isInstanceOfSatisfying(
            Refresh.Rejected.class,
            rejected -> assertThat(rejected.problem()).isEqualTo("must be a number, was one"));
    assertThat(file.lastGood()).contains(1);
    assertThat(file.problem()).contains("must be a number, was one");
    assertThat(file.refresh()).isEqualTo(new Refresh.Unchanged<>());
  }

  @Test
  void reportsAMissingFileOnce_andLoadsItWhenItComes() throws IOException {
    assertThat(file.refresh())
        .isInstanceOfSatisfying(
            Refresh.Rejected.class,
            rejected -> assertThat(rejected.problem()).isEqualTo("no such file"));
    assertThat(file.refresh()).isEqualTo(new Refresh.Unchanged<>());

    Files.writeString(path, "3");

    assertThat(file.refresh()).isEqualTo(new Refresh.Loaded<>(3));
    assertThat(file.problem()).isEmpty();
  }

  @Test
  void loadsTheSameFileAgain_whenItComesBack() throws IOException {
    Files.writeString(path, "1");
    file.refresh();
    var aside = Files.move(path, folder.resolve("aside"));
    file.refresh();
    Files.move(aside, path);

    assertThat(file.refresh()).isEqualTo(new Refresh.Loaded<>(1));
    assertThat(file.problem()).isEmpty();
  }

  @Test
  void rejectsAFileThatIsTooLarge() throws IOException {
    Files.writeString(path, "123456789");

    file.refresh();

    assertThat(file.problem()).contains("must have at most 8 bytes, has more");
    assertThat(file.lastGood()).isEmpty();
  }
}
