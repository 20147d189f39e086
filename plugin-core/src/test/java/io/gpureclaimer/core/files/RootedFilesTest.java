package io.gpureclaimer.core.files;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.core.cdi.FakeHost;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RootedFilesTest {
  @TempDir Path folder;
  private FakeHost host;
  private RootedFiles files;

  @BeforeEach
  void make() {
    host = new FakeHost(folder.resolve("root"));
    host.file("/usr/lib64/libcuda.so.550.54");
    files = new RootedFiles(host.root());
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
    host.link("/lib64", "usr/lib64").link("/opt/cuda", "/lib64/libcuda.so.550.54");

    assertThat(files.file("/lib64/libcuda.so.550.54")).contains("/usr/lib64/libcuda.so.550.54");
    assertThat(files.file("/opt/cuda")).contains("/usr/lib64/libcuda.so.550.54");
  }

  @Test
  void staysInside_whenALinkWouldLeadOut() {
    new FakeHost(folder).file("/secret");
    host.link("/up", "../../../../../secret").link("/out", folder.resolve("secret").toString());

    assertThat(files.resolve("/up")).isEmpty();
    assertThat(files.resolve("/out")).isEmpty();
    assertThat(files.resolve("/../../usr/lib64")).contains("/usr/lib64");
  }

  @Test
  void findsNothing_whenLinksGoInACircle() {
    host.link("/a", "b").link("/b", "a");

    assertThat(files.resolve("/a")).isEmpty();
  }

  @Test
  void findsNothing_whenALinkLeadsNowhere() {
    host.link("/a", "usr/nothing");

    assertThat(files.resolve("/a")).isEmpty();
    assertThat(files.link("/a")).contains("usr/nothing");
    assertThat(files.link("/usr")).isEmpty();
  }

  @Test
  void listsAFolder_whenItIsReachedByALink() {
    host.link("/lib64", "usr/lib64").file("/usr/lib64/libm.so.6");

    assertThat(files.list("/lib64", Pattern.compile("libcuda.*")))
        .containsExactly("/lib64/libcuda.so.550.54");
    assertThat(files.list("/nothing", Pattern.compile(".*"))).isEmpty();
    assertThat(files.list("/usr/lib64/libm.so.6", Pattern.compile(".*"))).isEmpty();
  }
}
