package io.gpureclaimer.deviceplugin.kubelet;

import static io.gpureclaimer.deviceplugin.kubelet.TestDevices.GPU;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A client that opens many connections to the device plugin's socket, beside the kubelet. */
@Timeout(60)
class SocketFloodTest {
  private static final int CONNECTIONS = 2_000;
  private static final byte[] HALF_A_PREFACE = "PRI * HT".getBytes(US_ASCII);

  @TempDir Path folder;
  private final List<SocketChannel> attackers = new ArrayList<>();
  private FakeDeviceManager kubelet;
  private PluginHost host;

  @BeforeEach
  void start() {
    kubelet = new FakeDeviceManager(folder);
    kubelet.start();
    host =
        new PluginHost(
            kubelet.socket(),
            PluginHostTest.HURRIED,
            Allocatable.Unsupported::new,
            InstantSource.system(),
            System::nanoTime,
            new Random(7));
    host.start();
    host.offer(Map.of(GPU, TestDevices.of("a")));
    awaitHealthy("a");
  }

  @AfterEach
  void stop() throws IOException {
    for (var attacker : attackers) {
      attacker.close();
    }
    host.close();
    kubelet.close();
  }

  @Test
  void theKubeletIsServed_andHalfOpenConnectionsAreClosed() throws IOException {
    for (int number = 0; number < CONNECTIONS; number++) {
      attack(number % 2 == 0);
      if (number % 100 == 0) {
        allocate();
      }
    }
    allocate();
    await().until(() -> openAttackers() <= ConnectionLimit.MOST);
    host.offer(Map.of(GPU, TestDevices.of("a", "b")));
    awaitHealthy("a", "b");

    await().atMost(Duration.ofSeconds(20)).until(() -> openAttackers() == 0);
    allocate();
  }

  private void attack(boolean sends) throws IOException {
    var attacker = SocketChannel.open(StandardProtocolFamily.UNIX);
    attackers.add(attacker);
    attacker.connect(UnixDomainSocketAddress.of(socket()));
    if (sends) {
      try {
        attacker.write(ByteBuffer.wrap(HALF_A_PREFACE));
      } catch (IOException _) {
        // Closed already.
      }
    }
    attacker.configureBlocking(false);
  }

  private long openAttackers() {
    attackers.removeIf(attacker -> !isOpen(attacker));
    return attackers.size();
  }

  /** Reads what the server sent; closes the client's end of a connection that the server closed. */
  private static boolean isOpen(SocketChannel attacker) {
    try {
      int read;
      do {
        read = attacker.read(ByteBuffer.allocate(1_024));
      } while (read > 0);
      if (read == 0) {
        return true;
      }
    } catch (IOException _) {
      // Closed by the server with bytes unread.
    }
    try {
      attacker.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return false;
  }

  private Path socket() {
    return folder.resolve(kubelet.requests().getLast().getEndpoint());
  }

  private void allocate() {
    assertThat(kubelet.allocate(GPU.value(), List.of("a")).getContainerResponsesCount())
        .isEqualTo(1);
  }

  private void awaitHealthy(String... ids) {
    await().until(() -> kubelet.healthy(GPU.value()).equals(Set.of(ids)));
  }
}
