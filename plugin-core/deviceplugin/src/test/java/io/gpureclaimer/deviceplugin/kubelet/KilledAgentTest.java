package io.gpureclaimer.deviceplugin.kubelet;

import static io.gpureclaimer.deviceplugin.kubelet.TestDevices.GPU;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.WatchService;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A rollout whose old agent is killed by SIGKILL: its socket stays, its connections end. The
 * kubelet must know the new agent afterwards, whichever of the two it knew before.
 */
@Tag("slow")
@Timeout(120)
class KilledAgentTest {
  private static final int KILLS = 3;

  @TempDir Path folder;
  private FakeDeviceManager kubelet;
  private final List<OldAgent> oldAgents = new ArrayList<>();

  @BeforeEach
  void prepare() {
    kubelet = new FakeDeviceManager(folder);
    kubelet.start();
  }

  @AfterEach
  void stop() {
    oldAgents.forEach(OldAgent::kill);
    kubelet.close();
  }

  @ParameterizedTest(name = "seed {0}, inotify {1}, pod-resources {2}")
  @CsvSource({"1, true, true", "2, true, false", "3, false, true", "4, false, false"})
  void theKubeletKnowsTheNewAgent_whenTheOldOneIsKilled(
      int seed, boolean inotify, boolean podResources) throws IOException {
    var chance = new Random(seed);
    for (int kill = 0; kill < KILLS; kill++) {
      oldAgents.add(new OldAgent(kubelet.socket(), inotify));
    }
    Supplier<Allocatable> believed =
        podResources
            ? () -> new Allocatable.Known(kubelet.healthy())
            : Allocatable.Unsupported::new;
    try (var host = host(kubelet.socket(), believed, inotify, seed, "new")) {
      awaitHealthy("new", host);
      for (var old : oldAgents) {
        old.offer();
        awaitHealthy("old", host);
        if (old != oldAgents.getFirst() && chance.nextBoolean()) {
          restartDuringTheOverlap(chance.nextInt(3));
        }
        old.kill();
        awaitHealthy("new", host);
      }
    }
  }

  /** Both agents register again, in any order; the old one is killed after some of that. */
  private void restartDuringTheOverlap(int registrations) {
    int before = kubelet.requests().size();
    kubelet.restart();
    await()
        .pollInterval(Duration.ofMillis(1))
        .until(() -> kubelet.requests().size() >= before + registrations);
  }

  private void awaitHealthy(String id, PluginHost host) {
    try {
      await()
          .atMost(Duration.ofSeconds(20))
          .pollInterval(Duration.ofMillis(5))
          .until(() -> kubelet.healthy(GPU.value()).equals(Set.of(id)) && serves());
    } catch (ConditionTimeoutException e) {
      throw new AssertionError(
          "expected "
              + id
              + ", the kubelet knows "
              + kubelet.healthy()
              + "; the new agent: "
              + host.state()
              + "\n"
              + String.join("\n", kubelet.history()),
          e);
    }
  }

  private boolean serves() {
    return kubelet.serves(GPU.value());
  }

  private static PluginHost host(
      Path socket, Supplier<Allocatable> believed, boolean inotify, int seed, String id) {
    var host =
        new PluginHost(
            socket,
            PluginHostTest.HURRIED,
            believed,
            InstantSource.system(),
            System::nanoTime,
            new Random(seed),
            inotify ? FileSystems.getDefault()::newWatchService : KilledAgentTest::exhausted);
    host.start();
    host.offer(Map.of(GPU, TestDevices.of(id)));
    return host;
  }

  private static WatchService exhausted() throws IOException {
    throw new IOException("User limit of inotify instances reached");
  }

  /** An agent in a process of its own, which offers its device on command. */
  private static final class OldAgent {
    private final Process process;

    OldAgent(Path socket, boolean inotify) throws IOException {
      process =
          new ProcessBuilder(
                  ProcessHandle.current().info().command().orElseThrow(),
                  "-XX:TieredStopAtLevel=1",
                  "-cp",
                  System.getProperty("java.class.path"),
                  KilledProgram.class.getName(),
                  socket.toString(),
                  String.valueOf(inotify))
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
    }

    void offer() throws IOException {
      try (var input = process.outputWriter(StandardCharsets.UTF_8)) {
        input.write("offer\n");
      }
    }

    /** By SIGKILL. */
    void kill() {
      process.destroyForcibly().onExit().join();
    }
  }

  /** The old agent; ends with its input. */
  static final class KilledProgram {
    private KilledProgram() {}

    public static void main(String[] args) throws IOException, InterruptedException {
      if (System.in.read() >= 0) {
        try (var _ =
            host(
                Path.of(args[0]),
                Allocatable.Unsupported::new,
                Boolean.parseBoolean(args[1]),
                (int) ProcessHandle.current().pid(),
                "old")) {
          Thread.currentThread().join();
        }
      }
    }
  }
}
