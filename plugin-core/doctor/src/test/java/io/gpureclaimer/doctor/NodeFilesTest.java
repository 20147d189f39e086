package io.gpureclaimer.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NodeFilesTest {
  @TempDir Path root;

  @Test
  void followsLinksAsTheNodeWould() {
    try (var _ =
        new FakeNode(root)
            .file("/run/real/file", "text")
            .link("/var/run", "/run")
            .link("/run/up", "../run/real")
            .link("/run/out", "../../../../run/real")) {
      var files = new NodeFiles(root);

      assertThat(files.text("/var/run/real/file")).contains("text");
      assertThat(files.text("/var/run/up/file")).contains("text");
      assertThat(files.text("/var/run/out/file")).contains("text");
    }
  }

  @Test
  void leavesACircle() {
    try (var _ = new FakeNode(root).link("/run/a", "b").link("/run/b", "a")) {
      assertThat(new NodeFiles(root).exists("/run/a/file")).isFalse();
    }
  }
}
