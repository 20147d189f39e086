package io.gpureclaimer.exporter.counters;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.exporter.counters.CountersSource.Content.Found;
import io.gpureclaimer.exporter.counters.CountersSource.Content.Missing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CountersFileTest {
  @TempDir Path folder;

  @Test
  void seesAnotherText_evenOfTheSameLengthAndAge() throws IOException {
    Path path = folder.resolve("counters.csv");
    var file = new CountersFile(path);
    for (String text : new String[] {"abc", "abd"}) {
      Files.writeString(path, text);
      Files.setLastModifiedTime(path, FileTime.from(Instant.EPOCH));
      assertThat(file.read()).isEqualTo(new Found(text));
    }
  }

  /** As the kubelet changes the files of a ConfigMap. */
  @Test
  void seesAnotherText_whenALinkOnTheWayIsSwapped() throws IOException {
    Path first = Files.createDirectory(folder.resolve("..1"));
    Path second = Files.createDirectory(folder.resolve("..2"));
    Files.writeString(first.resolve("counters.csv"), "one");
    Files.writeString(second.resolve("counters.csv"), "two");
    Path data = Files.createSymbolicLink(folder.resolve("..data"), first.getFileName());
    Path path =
        Files.createSymbolicLink(folder.resolve("counters.csv"), Path.of("..data", "counters.csv"));
    var file = new CountersFile(path);
    assertThat(file.read()).isEqualTo(new Found("one"));

    Files.delete(data);
    assertThat(file.read()).isEqualTo(new Missing("is not there"));
    Files.createSymbolicLink(data, second.getFileName());
    assertThat(file.read()).isEqualTo(new Found("two"));
  }

  @Test
  void saysWhatIsWrong() throws IOException {
    Path path = folder.resolve("counters.csv");
    var file = new CountersFile(path);
    assertThat(file.name()).isEqualTo("counters file " + path);
    assertThat(file.read()).isEqualTo(new Missing("is not there"));

    Files.write(path, new byte[CountersFile.LARGEST_BYTES + 1]);
    assertThat(file.read()).isEqualTo(new Missing("must be at most 1024 KiB, was more"));
    Files.write(path, new byte[] {'a', (byte) 0xff});
    assertThat(file.read()).isEqualTo(new Missing("must be UTF-8, was not"));

    assertThat(new CountersFile(folder).read())
        .isInstanceOfSatisfying(
            Missing.class, found -> assertThat(found.reason()).startsWith("cannot be read: "));
  }
}
