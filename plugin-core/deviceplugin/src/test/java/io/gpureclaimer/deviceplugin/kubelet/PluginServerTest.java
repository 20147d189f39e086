package io.gpureclaimer.deviceplugin.kubelet;

import static io.gpureclaimer.deviceplugin.kubelet.TestDevices.GPU;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.gpureclaimer.deviceplugin.allocation.ResourceName;
import io.gpureclaimer.deviceplugin.kubelet.RegistrarEnvironment.Endpoint;
import io.gpureclaimer.deviceplugin.kubelet.RegistrarEnvironment.ServerStart;
import io.gpureclaimer.deviceplugin.kubelet.RegistrarEnvironment.ServerStart.Impossible;
import io.gpureclaimer.deviceplugin.kubelet.RegistrarEnvironment.ServerStart.Opened;
import io.gpureclaimer.deviceplugin.plugin.DeviceList.ResourceDevices;
import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import v1beta1.Api.DevicePluginOptions;
import v1beta1.Api.Empty;
import v1beta1.DevicePluginGrpc;

/** Our sockets among others in the folder. */
@Timeout(60)
class PluginServerTest {
  private static final ResourceDevices NOTHING = TestDevices.of();

  @TempDir Path folder;
  private @Nullable NodeSockets sockets;

  @AfterEach
  void close() {
    if (sockets != null) {
      sockets.close();
    }
  }

  @Test
  void isInPlace_whileItsSocketIsUntouched() throws IOException {
    Endpoint endpoint = opened(folder, GPU);

    assertThat(names()).containsExactly("gpu-reclaimer-gpu-0000002a.sock");
    assertThat(endpoint.inPlace()).isTrue();
    Files.delete(folder.resolve(endpoint.name()));
    assertThat(endpoint.inPlace()).isFalse();
  }

  @Test
  void removesItsSocket() throws IOException {
    Endpoint endpoint = opened(folder, GPU);
    endpoint.drain();

    await().until(endpoint::gone);
    assertThat(names()).isEmpty();
  }

  @Test
  void hasAListener_untilItsProcessIsKilled() throws IOException {
    Endpoint endpoint = opened(folder, GPU);
    Path socket = folder.resolve(endpoint.name());
    NodeSockets other = requireNonNull(sockets);
    assertThat(other.hasListener(endpoint.name())).isTrue();

    Path left = folder.resolve("left");
    Files.createLink(left, socket);
    endpoint.drain();
    await().until(endpoint::gone);
    Files.move(left, socket);

    assertThat(other.hasListener(endpoint.name())).isFalse();
    assertThat(other.hasListener("none")).as("a socket that is not there").isTrue();
  }

  @Test
  void countsNoClient_thatLeavesBeforeItsConnectionIsReady() {
    Endpoint endpoint = opened(folder, GPU);
    var loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    var kubelet = KubeletChannel.to(folder.resolve(endpoint.name()), loop);
    try {
      var stub = DevicePluginGrpc.newBlockingStub(kubelet);
      assertThat(stub.getDevicePluginOptions(Empty.getDefaultInstance())).isNotNull();
      for (int probe = 0; probe < 100; probe++) {
        assertThat(requireNonNull(sockets).hasListener(endpoint.name())).isTrue();
        assertThat(stub.getDevicePluginOptions(Empty.getDefaultInstance())).isNotNull();
        assertThat(endpoint.connected()).isTrue();
      }
    } finally {
      kubelet.shutdownNow();
      var _ = loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }
    await().until(() -> !endpoint.connected());
  }

  @Test
  void servesTheKubelet_whileAnotherClientHoldsConnectionsWithoutCalls() {
    Endpoint endpoint = opened(folder, GPU);
    var loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    List<ManagedChannel> channels = new ArrayList<>();
    try {
      for (int number = 0; number <= 2 * ConnectionLimit.MOST; number++) {
        var channel = KubeletChannel.to(folder.resolve(endpoint.name()), loop);
        channels.add(channel);
        assertThat(options(channel)).isNotNull();
      }
      await()
          .until(
              () ->
                  channels.stream().filter(PluginServerTest::isReady).count()
                      == ConnectionLimit.MOST);

      assertThat(channels.getFirst()).as("the oldest").matches(each -> !isReady(each));
    } finally {
      channels.forEach(ManagedChannel::shutdownNow);
      var _ = loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }
  }

  @Test
  void refusesAConnection_whileEachOtherHasACall() {
    Endpoint endpoint = opened(folder, GPU);
    var loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    List<ManagedChannel> channels = new ArrayList<>();
    try {
      for (int number = 0; number < ConnectionLimit.MOST; number++) {
        var channel = KubeletChannel.to(folder.resolve(endpoint.name()), loop);
        channels.add(channel);
        var lists =
            DevicePluginGrpc.newBlockingStub(channel).listAndWatch(Empty.getDefaultInstance());
        assertThat(lists.next()).isNotNull();
      }
      var late = KubeletChannel.to(folder.resolve(endpoint.name()), loop);
      channels.add(late);

      assertThatThrownBy(() -> options(late)).hasMessageStartingWith("UNAVAILABLE");
      assertThat(endpoint.streams()).isEqualTo(ConnectionLimit.MOST);
    } finally {
      channels.forEach(ManagedChannel::shutdownNow);
      var _ = loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }
  }

  @Test
  void leavesWhatIsAnotherPrograms_whereItsSocketWas() throws IOException {
    Endpoint endpoint = opened(folder, GPU);
    Files.delete(folder.resolve(endpoint.name()));
    Files.createFile(folder.resolve(endpoint.name()));
    endpoint.drain();

    await().until(endpoint::gone);
    assertThat(names()).containsExactly(endpoint.name());
  }

  @Test
  void leavesWhatIsThereAlready() throws IOException {
    Path file = Files.createFile(folder.resolve("gpu-reclaimer-gpu-0000002a.sock"));

    assertThat(open(folder, GPU))
        .isEqualTo(new Impossible(file + " exists, and is not ours: we leave it alone"));
    await().until(() -> names().equals(List.of("gpu-reclaimer-gpu-0000002a.sock")));
    assertThat(file).isRegularFile();
  }

  @Test
  void saysSo_whenThereIsNoFolder_inTheSameWordsForEachSocket() {
    Path none = folder.resolve("none");

    assertThat(open(none, GPU))
        .isEqualTo(
            new Impossible(
                "cannot make a socket in "
                    + none
                    + ": java.net.SocketException: No such file or directory"));
  }

  @Test
  void saysSo_whenTheFolderIsAFile() throws IOException {
    Path file = Files.createFile(folder.resolve("file"));

    assertThat(open(file, GPU))
        .isInstanceOfSatisfying(
            Impossible.class,
            impossible -> assertThat(impossible.why()).endsWith("Not a directory"));
  }

  @Test
  void saysSo_whenThePathIsTooLong() {
    Path deep = folder.resolve("d".repeat(100));

    assertThat(open(deep, GPU))
        .isEqualTo(
            new Impossible(
                "the path "
                    + deep
                    + " is too long for a socket in it: with its name it may have 106 bytes"));
  }

  @Test
  void canBeBound_whenThePathIsAsLongAsItMayBe() throws IOException {
    int room = SocketName.LONGEST_PATH - "/gpu-reclaimer-g-0000002a.sock".length();
    Path parent = Files.createTempDirectory(Path.of("/tmp"), "s");
    Path deep = parent.resolve("d".repeat(room - parent.toString().length() - 1));
    Files.createDirectory(deep);
    Endpoint endpoint = opened(deep, GPU);
    assertThat(deep.resolve(endpoint.name()).toString()).hasSize(SocketName.LONGEST_PATH);
    endpoint.drain();
    await().until(endpoint::gone);
    Files.delete(deep);
    Files.delete(parent);
  }

  private static DevicePluginOptions options(ManagedChannel channel) {
    return DevicePluginGrpc.newBlockingStub(channel)
        .getDevicePluginOptions(Empty.getDefaultInstance());
  }

  private static boolean isReady(ManagedChannel channel) {
    return channel.getState(false) == ConnectivityState.READY;
  }

  private Endpoint opened(Path where, ResourceName resource) {
    return switch (open(where, resource)) {
      case Opened(var endpoint) -> endpoint;
      case Impossible(var why) -> throw new IllegalStateException(why);
    };
  }

  private ServerStart open(Path where, ResourceName resource) {
    RandomGenerator always = () -> 42L << 32;
    sockets =
        new NodeSockets(
            where.resolve("kubelet.sock"),
            KubeletTimeouts.USUAL,
            Runnable::run,
            always,
            System::nanoTime);
    return sockets.open(resource, NOTHING, new ResourceTally());
  }

  private List<String> names() throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.map(path -> path.getFileName().toString()).sorted().toList();
    }
  }
}
