package io.gpureclaimer.deviceplugin.cdi;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.deviceplugin.cdi.CdiOutcome.Cause;
import io.gpureclaimer.deviceplugin.cdi.CdiOutcome.Failed;
import io.gpureclaimer.deviceplugin.cdi.CdiOutcome.FolderDeleted;
import io.gpureclaimer.deviceplugin.cdi.CdiOutcome.Removed;
import io.gpureclaimer.deviceplugin.cdi.CdiOutcome.Unchanged;
import io.gpureclaimer.deviceplugin.cdi.CdiOutcome.Written;
import io.gpureclaimer.deviceplugin.cdi.spec.CdiKind;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CdiFolderTest {
  private static final CdiKind KIND = new CdiKind("nvidia.com", "gpu");
  private static final String NAME = "nvidia.com-gpu.json";

  @TempDir Path temporary;

  @Test
  void makesTheFolder_readableForAll() throws IOException {
    var folder = new CdiFolder(at());

    assertThat(folder.put(KIND, "one")).isEqualTo(new Written(Cause.NEW));

    assertThat(Files.readString(at().resolve(NAME))).isEqualTo("one");
    assertThat(mode(at())).isEqualTo("rwxr-xr-x");
    assertThat(mode(at().resolve(NAME))).isEqualTo("rw-r--r--");
  }

  @Test
  void writesNothing_whenNothingHasChanged() throws IOException {
    var folder = new CdiFolder(at());
    folder.put(KIND, "one");
    var longAgo = FileTime.from(Instant.parse("2020-01-01T00:00:00Z"));
    Files.setLastModifiedTime(at().resolve(NAME), longAgo);

    assertThat(folder.put(KIND, "one")).isEqualTo(new Unchanged());
    assertThat(new CdiFolder(at()).put(KIND, "one")).isEqualTo(new Unchanged());

    assertThat(Files.getLastModifiedTime(at().resolve(NAME))).isEqualTo(longAgo);
  }

  @Test
  void saysWhyItWrote() throws IOException {
    var folder = new CdiFolder(at());
    folder.put(KIND, "one");

    assertThat(folder.put(KIND, "two")).isEqualTo(new Written(Cause.CHANGED));
    Files.delete(at().resolve(NAME));
    assertThat(folder.put(KIND, "two")).isEqualTo(new Written(Cause.VANISHED));
    Files.writeString(at().resolve(NAME), "theirs");
    assertThat(folder.put(KIND, "two")).isEqualTo(new Written(Cause.OVERWRITTEN));
    assertThat(new CdiFolder(at()).put(KIND, "three")).isEqualTo(new Written(Cause.CHANGED));
  }

  @Test
  void writesAgain_whenTheWholeFolderVanished() throws IOException {
    var folder = new CdiFolder(at());
    folder.put(KIND, "one");
    Files.delete(at().resolve(NAME));
    Files.delete(at());

    assertThat(folder.put(KIND, "one")).isEqualTo(new Written(Cause.VANISHED));
  }

  @Test
  void reportsThatTheFileIsInvisible_whenTheFolderWasDeletedOnTheHost() throws IOException {
    var gone = new AtomicBoolean();
    var folder = new CdiFolder(at(), Files::write, _ -> gone.get());
    folder.put(KIND, "one");

    gone.set(true);
    assertThat(folder.put(KIND, "one"))
        .isInstanceOfSatisfying(
            FolderDeleted.class,
            it -> assertThat(it.reason()).startsWith(at() + " was deleted on the node after"));
    gone.set(false);
    assertThat(folder.put(KIND, "one")).isEqualTo(new Unchanged());
  }

  @Test
  void aFolderThatIsThere_orNotYet_isNotCutOff() throws IOException {
    assertThat(CdiFolder.hasNoName(at())).isFalse();
    Files.createDirectories(at());
    assertThat(CdiFolder.hasNoName(at())).isFalse();
  }

  @Test
  void keepsTheOldFileAndNothingElse_whenTheDiskIsFull() throws IOException {
    new CdiFolder(at()).put(KIND, "one");
    var full =
        new CdiFolder(
            at(),
            (file, bytes) -> {
              Files.write(file, new byte[] {bytes[0]});
              throw new FileSystemException(file.toString(), null, "No space left on device");
            },
            _ -> false);

    assertThat(full.put(KIND, "two"))
        .isEqualTo(
            new Failed(
                "cannot write the CDI specification "
                    + at().resolve(NAME)
                    + ": No space left on device; what was there before stays in force"));
    assertThat(names()).containsExactly(NAME);
    assertThat(Files.readString(at().resolve(NAME))).isEqualTo("one");
  }

  @Test
  void fails_whenTheFolderIsAFile() throws IOException {
    Files.writeString(at(), "a file");

    assertThat(new CdiFolder(at()).put(KIND, "one"))
        .isEqualTo(
            new Failed(
                "cannot write the CDI specification "
                    + at().resolve(NAME)
                    + ": "
                    + at()
                    + " is not a folder; what was there before stays in force"));
    assertThat(Files.readString(at())).isEqualTo("a file");
  }

  @Test
  void fails_whenNothingCanBeMadeThere() {
    var readOnly = Path.of("/proc/cdi");

    assertThat(new CdiFolder(readOnly).put(KIND, "one")).isInstanceOf(Failed.class);
    assertThat(readOnly).doesNotExist();
  }

  @Test
  void fails_whenAFolderIsInThePlaceOfTheFile() throws IOException {
    Files.createDirectories(at().resolve(NAME).resolve("sub"));

    assertThat(new CdiFolder(at()).put(KIND, "one")).isInstanceOf(Failed.class);
    assertThat(names()).containsExactly(NAME);
  }

  @Test
  void cleansUp_whenAnEarlierRunWasKilledWhileItWrote() throws IOException {
    Files.createDirectories(at());
    Files.writeString(at().resolve("." + NAME + ".123.tmp"), "hal");
    Files.writeString(at().resolve("other.tmp"), "not ours");

    new CdiFolder(at()).put(KIND, "one");

    assertThat(names()).containsExactly(NAME, "other.tmp");
  }

  @Test
  void removesAFile_onlyIfThereIsOne() throws IOException {
    var folder = new CdiFolder(at());
    folder.put(KIND, "one");

    assertThat(List.of(folder.remove(KIND), folder.remove(KIND)))
        .isEqualTo(List.of(new Removed(), new Unchanged()));
    assertThat(names()).isEmpty();
  }

  private Path at() {
    return temporary.resolve("cdi");
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(at())) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  private static String mode(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }
}
