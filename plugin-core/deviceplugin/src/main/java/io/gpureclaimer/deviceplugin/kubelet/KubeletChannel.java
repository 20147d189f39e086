package io.gpureclaimer.deviceplugin.kubelet;

import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A gRPC channel over a unix socket, on the JDK's own sockets and one thread of its own.
 *
 * <p>Locked because {@link #closeForGood} comes from the thread that stops the program.
 */
final class KubeletChannel {
  /** A full node's answer was seen to be larger than gRPC's own limit of 4 MiB. */
  private static final int LARGEST_ANSWER = 16 * 1024 * 1024;

  private final Path socket;
  private final EventLoopGroup loop =
      new MultiThreadIoEventLoopGroup(
          1, new DefaultThreadFactory("kubelet", true), NioIoHandler.newFactory());
  private @Nullable ManagedChannel channel;
  private boolean closed;

  KubeletChannel(Path socket) {
    this.socket = socket;
  }

  /** The channel, a new one if there is none; empty once it is closed for good. */
  synchronized Optional<ManagedChannel> open() {
    if (channel == null && !closed) {
      channel = to(socket, loop);
    }
    return Optional.ofNullable(channel);
  }

  /** A channel on a thread of its user. */
  static ManagedChannel to(Path socket, EventLoopGroup loop) {
    return NettyChannelBuilder.forAddress(UnixDomainSocketAddress.of(socket))
        .channelType(NioDomainSocketChannel.class, UnixDomainSocketAddress.class)
        .eventLoopGroup(loop)
        .usePlaintext()
        // Strict servers refuse a path as authority; the kubelet itself says localhost.
        .overrideAuthority("localhost")
        .maxInboundMessageSize(LARGEST_ANSWER)
        .directExecutor()
        .disableRetry()
        .build();
  }

  /** The next {@link #open} makes a new one. */
  synchronized void close() {
    if (channel != null) {
      channel.shutdownNow();
      channel = null;
    }
  }

  synchronized void closeForGood() {
    closed = true;
    close();
    var _ = loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
  }
}
