package io.gpureclaimer.deviceplugin.kubelet;

import static io.gpureclaimer.deviceplugin.kubelet.TestDevices.GPU;
import static io.gpureclaimer.deviceplugin.kubelet.TestDevices.MIG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.WatchService;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A hundred restarts of the kubelet and of us, in any order, lose nothing. */
@Tag("slow")
@Timeout(300)
class RestartsTest {
  private static final int RESTARTS = 100;

  @TempDir Path folder;
  private FakeDeviceManager kubelet;
  private PluginHost host;
  private FolderWatch.WatchOpener watches = FileSystems.getDefault()::newWatchService;
  private int round;
  private int hosts;

  @BeforeEach
  void prepare() {
    kubelet = new FakeDeviceManager(folder);
    kubelet.start();
    host = started();
  }

  @AfterEach
  void stop() {
    host.close();
    kubelet.close();
  }

  /** Without inotify the folder is polled. */
  @ParameterizedTest(name = "seed {0}, inotify {1}")
  @CsvSource({"1, true", "2, false"})
  void everythingIsThere_afterEachRestart(int seed, boolean inotify) {
    watches = inotify ? FileSystems.getDefault()::newWatchService : RestartsTest::exhausted;
    host.close();
    host = started();
    var chance = new Random(seed);
    for (round = 1; round <= RESTARTS; round++) {
      restartSomething(chance);
      host.offer(Map.of(GPU, TestDevices.of("a", "round-" + round), MIG, TestDevices.of("m")));
      if (chance.nextInt(3) > 0) {
        awaitEverything();
      }
    }
    round = RESTARTS;
    awaitEverything();

    await().untilAsserted(() -> assertThat(ownSockets()).hasSize(2));
    assertThat(kubelet.connections()).isEqualTo(2);
    assertThat(kubelet.allocate(GPU.value(), List.of("a")).getContainerResponsesCount())
        .isEqualTo(1);
  }

  private void restartSomething(Random chance) {
    switch (chance.nextInt(7)) {
      case 0 -> kubelet.restart();
      case 1 -> {
        kubelet.stop();
        kubelet.start();
      }
      case 2 -> {
        kubelet.crash();
        host.close();
        host = started();
        kubelet.start();
      }
      case 3 -> {
        host.close();
        host = started();
      }
      case 4 -> {
        // A rollout goes on when the new one is ready, and that is when it is watched.
        var next = started();
        await().until(() -> next.state().resources().size() == 2 && next.state().watched());
        host.close();
        host = next;
      }
      case 5 -> kubelet.hangUp(GPU.value());
      default -> {
        host.close();
        kubelet.restart();
        host = started();
      }
    }
  }

  private PluginHost started() {
    var started =
        new PluginHost(
            kubelet.socket(),
            PluginHostTest.HURRIED,
            Allocatable.Unsupported::new,
            InstantSource.system(),
            System::nanoTime,
            new Random(hosts++),
            watches);
    started.start();
    started.offer(Map.of(GPU, TestDevices.of("a", "round-" + round), MIG, TestDevices.of("m")));
    return started;
  }

  private static WatchService exhausted() throws IOException {
    throw new IOException("User limit of inotify instances reached");
  }

  private void awaitEverything() {
    try {
      await("round " + round)
          .atMost(Duration.ofSeconds(20))
          .pollInterval(Duration.ofMillis(5))
          .until(this::everythingIsThere);
    } catch (ConditionTimeoutException e) {
      throw new AssertionError(
          "healthy "
              + kubelet.healthy()
              + " serves "
              + kubelet.serves(GPU.value())
              + kubelet.serves(MIG.value())
              + host.state()
              + "\n"
              + String.join("\n", kubelet.history()),
          e);
    }
  }

  private boolean everythingIsThere() {
    return kubelet.healthy(GPU.value()).equals(Set.of("a", "round-" + round))
        && kubelet.healthy(MIG.value()).equals(Set.of("m"))
        && kubelet.serves(GPU.value())
        && kubelet.serves(MIG.value());
  }

  private List<String> ownSockets() {
    try (Stream<Path> all = Files.list(folder)) {
      return all.map(path -> path.getFileName().toString())
          .filter(name -> !name.equals("kubelet.sock"))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
