package io.gpureclaimer.deviceplugin.kubelet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class FolderWatchTest {
  @TempDir Path folder;
  private final AtomicInteger changes = new AtomicInteger();
  private final AtomicInteger opened = new AtomicInteger();

  @Test
  void reports_whenSomethingComesAndGoes() throws IOException {
    try (var watch = watch(folder)) {
      watch.keep();
      Path file = Files.createFile(folder.resolve("kubelet.sock"));
      await().until(() -> changes.get() >= 1);
      int before = changes.get();
      Files.delete(file);
      await().until(() -> changes.get() > before);
    }
  }

  @Test
  void begins_whenTheFolderIsThere_andBeginsAgainWhenItWasGone() throws IOException {
    Path late = folder.resolve("device-plugins");
    try (var watch = watch(late)) {
      watch.keep();
      assertThat(opened).hasValue(0);
      for (int round = 1; round <= 3; round++) {
        int expected = round;
        Files.createDirectory(late);
        await()
            .until(
                () -> {
                  watch.keep();
                  return opened.get() == expected;
                });
        int before = changes.get();
        Path file = Files.createFile(late.resolve("kubelet.sock"));
        await().until(() -> changes.get() > before);
        Files.delete(file);
        Files.delete(late);
      }
    }
  }

  @Test
  void asksOnlyOnce_whenTheNodeHasNoWatchesLeft() {
    try (var watch =
        new FolderWatch(
            folder,
            () -> {
              opened.incrementAndGet();
              throw new IOException("User limit of inotify instances reached");
            },
            changes::incrementAndGet)) {
      watch.keep();
      watch.keep();
    }

    assertThat(opened).hasValue(1);
  }

  private FolderWatch watch(Path path) {
    return new FolderWatch(
        path,
        () -> {
          opened.incrementAndGet();
          return FileSystems.getDefault().newWatchService();
        },
        changes::incrementAndGet);
  }
}
