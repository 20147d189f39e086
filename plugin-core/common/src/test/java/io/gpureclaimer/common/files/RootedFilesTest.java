package io.gpureclaimer.common.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RootedFilesTest {
  @TempDir Path folder;
  private Path root;
  private RootedFiles files;

  @BeforeEach
  void make() {
    root = folder.resolve("root");
    file("/usr/lib64/libcuda.so.550.54");
    files = new RootedFiles(root);
  }

  @Test
  void findsWhatIsThere() {
    assertThat(files.file("/usr/lib64/libcuda.so.550.54")).contains("/usr/lib64/libcuda.so.550.54");
    assertThat(files.file("/usr/lib64")).isEmpty();
    assertThat(files.resolve("/usr//./lib64/../lib64")).contains("/usr/lib64");
    assertThat(files.resolve("/usr/lib32")).isEmpty();
    assertThat(files.resolve("/usr/lib64/libcuda.so.550.54/..")).contains("/usr/lib64");
  }

  @Test
  void followsLinks_whenTheyAreRelativeOrBeginAtTheRoot() {
    link("/lib64", "usr/lib64");
    link("/opt/cuda", "/lib64/libcuda.so.550.54");

    assertThat(files.file("/lib64/libcuda.so.550.54")).contains("/usr/lib64/libcuda.so.550.54");
    assertThat(files.file("/opt/cuda")).contains("/usr/lib64/libcuda.so.550.54");
  }

  @Test
  void staysInside_whenALinkWouldLeadOut() throws IOException {
    Files.createFile(folder.resolve("secret"));
    link("/up", "../../../../../secret");
    link("/out", folder.resolve("secret").toString());

    assertThat(files.resolve("/up")).isEmpty();
    assertThat(files.resolve("/out")).isEmpty();
    assertThat(files.resolve("/../../usr/lib64")).contains("/usr/lib64");
  }

  @Test
  void findsNothing_whenLinksGoInACircle() {
    link("/a", "b");
    link("/b", "a");

    assertThat(files.resolve("/a")).isEmpty();
  }

  @Test
  void findsNothing_whenALinkLeadsNowhere() {
    link("/a", "usr/nothing");

    assertThat(files.resolve("/a")).isEmpty();
    assertThat(files.link("/a")).contains("usr/nothing");
    assertThat(files.link("/usr")).isEmpty();
  }

  @Test
  void listsAFolder_whenItIsReachedByALink() {
    link("/lib64", "usr/lib64");
    file("/usr/lib64/libm.so.6");

    assertThat(files.list("/lib64", Pattern.compile("libcuda.*")))
        .containsExactly("/lib64/libcuda.so.550.54");
    assertThat(files.list("/nothing", Pattern.compile(".*"))).isEmpty();
    assertThat(files.list("/usr/lib64/libm.so.6", Pattern.compile(".*"))).isEmpty();
  }

  private void file(String path) {
    try {
      Path file = root.resolve(path.substring(1));
      Files.createDirectories(file.getParent());
      Files.createFile(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void link(String path, String target) {
    try {
      Path link = root.resolve(path.substring(1));
      Files.createDirectories(link.getParent());
      Files.createSymbolicLink(link, Path.of(target));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
