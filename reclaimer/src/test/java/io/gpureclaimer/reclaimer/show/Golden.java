package io.gpureclaimer.reclaimer.show;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Texts to compare with. Rewrite them with {@code -Dgolden.update=true}, then read the diff. */
public final class Golden {
  private static final Path FOLDER = Path.of("src/test/resources/golden");

  private Golden() {}

  public static void assertThatTextIs(String file, String text) {
    Path golden = FOLDER.resolve(file);
    try {
      if (Boolean.getBoolean("golden.update")) {
        Files.createDirectories(FOLDER);
        Files.writeString(golden, text);
      }
      assertThat(text).isEqualTo(Files.readString(golden));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
