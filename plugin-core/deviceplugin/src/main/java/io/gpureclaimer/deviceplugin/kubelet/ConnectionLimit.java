package io.gpureclaimer.deviceplugin.kubelet;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps at most {@link #MOST} connections of one socket open. A new connection above the limit
 * replaces the oldest one without a call, so that the kubelet, whose connection always has the call
 * ListAndWatch, is served while another client holds many connections. Confined to the event loop,
 * which the listener and its connections share.
 */
final class ConnectionLimit extends ChannelInboundHandlerAdapter {
  private static final Logger log = LoggerFactory.getLogger(ConnectionLimit.class);

  /** The kubelet needs one; agents that overlap in a rollout probe each other's socket. */
  static final int MOST = 64;

  /** In the order of opening. */
  private final Set<Channel> open = new LinkedHashSet<>();

  private boolean reached;

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    var connection = (Channel) message;
    if (open.size() >= MOST) {
      logOnce();
      Optional<Channel> replaced = open.stream().filter(each -> !hasCall(each)).findFirst();
      if (replaced.isEmpty()) {
        connection.unsafe().closeForcibly();
        return;
      }
      // At once, without the pipeline: gRPC would wait for the client.
      replaced.get().unsafe().close(replaced.get().voidPromise());
    }
    open.add(connection);
    connection.closeFuture().addListener(_ -> forget(connection));
    context.fireChannelRead(connection);
  }

  private void forget(Channel connection) {
    open.remove(connection);
    if (open.isEmpty()) {
      reached = false;
    }
  }

  private void logOnce() {
    if (!reached) {
      reached = true;
      log.warn(
          "device plugin socket: {} connections are open; each new one closes the oldest idle one",
          MOST);
    }
  }

  private static boolean hasCall(Channel connection) {
    var http2 = connection.pipeline().get(Http2ConnectionHandler.class);
    return http2 != null && http2.connection().numActiveStreams() > 0;
  }
}
