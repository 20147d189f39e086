package io.gpureclaimer.common.files;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.files.ReloadingFile.Refresh;
import java.io.IOException;
import java.nio.charset.CodingErrorAction;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
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

  @Test
  void loadsAnotherText_evenOfTheSameLengthAndAge() throws IOException {
    for (int number : new int[] {1, 2}) {
      Files.writeString(path, Integer.toString(number));
      Files.setLastModifiedTime(path, FileTime.from(Instant.EPOCH));
      assertThat(file.refresh()).isEqualTo(new Refresh.Loaded<>(number));
    }
  }

  @Test
  void doesNotReportAnotherVersionWithTheSameValue() throws IOException {
    Files.writeString(path, "1");
    file.refresh();
    Files.writeString(path, "01");

    assertThat(file.refresh()).isEqualTo(new Refresh.Unchanged<>());
    assertThat(parsed).hasValue(2);
  }

  @Test
  void waits_untilTheFileStaysTheSame() throws IOException {
    Files.writeString(path, "1");
    file.refresh();
    for (String text : List.of("", "22", "one", "333")) {
      Files.writeString(path, text);
      assertThat(file.refreshSettled()).isEqualTo(new Refresh.Unchanged<>());
    }

    assertThat(file.refreshSettled()).isEqualTo(new Refresh.Loaded<>(333));
    assertThat(file.refreshSettled()).isEqualTo(new Refresh.Unchanged<>());
  }

  @Test
  void waits_untilTheFileStaysAway() throws IOException {
    Files.writeString(path, "1");
    file.refresh();
    Files.delete(path);

    assertThat(file.refreshSettled()).isEqualTo(new Refresh.Unchanged<>());
    assertThat(file.problem()).isEmpty();
    assertThat(file.refreshSettled()).isInstanceOf(Refresh.Rejected.class);
    assertThat(file.refreshSettled()).isEqualTo(new Refresh.Unchanged<>());
  }

  @Test
  void reloadsAFileThatHasNotChanged_andReportsItsProblemAgain() throws IOException {
    Files.writeString(path, "1");
    file.refresh();
    assertThat(file.reload()).isEqualTo(new Refresh.Loaded<>(1));

    Files.writeString(path, "one");
    assertThat(file.reload()).isInstanceOf(Refresh.Rejected.class);
    assertThat(file.reload()).isInstanceOf(Refresh.Rejected.class);
    assertThat(file.lastGood()).contains(1);
  }

  @Test
  void rejectsOtherBytesThanUtf8_whereAsked() throws IOException {
    Files.write(path, new byte[] {'1', (byte) 0xff});
    var strict = new ReloadingFile<>(path, 8, CodingErrorAction.REPORT, this::parse);

    strict.refresh();
    file.refresh();

    assertThat(strict.problem()).contains("must be UTF-8, is not");
    assertThat(file.problem()).contains("must be a number, was 1\ufffd");
  }
}
