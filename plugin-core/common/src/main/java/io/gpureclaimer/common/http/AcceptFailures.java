package io.gpureclaimer.common.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs once that a listener cannot accept connections, for example without free descriptors, and
 * once that it can again; pauses the listener after each failure. Confined to the event loop.
 */
public final class AcceptFailures extends ChannelInboundHandlerAdapter {
  private static final Logger log = LoggerFactory.getLogger(AcceptFailures.class);

  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final String connections;
  private boolean failing;

  /**
   * @param connections names them in the log
   */
  public AcceptFailures(String connections) {
    this.connections = connections;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object connection) {
    if (failing) {
      failing = false;
      log.info("{} connections are accepted again", connections);
    }
    context.fireChannelRead(connection);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    if (!failing) {
      failing = true;
      log.error("{} connections cannot be accepted: {}", connections, cause.toString());
    }
    context.channel().config().setAutoRead(false);
    var _ =
        context
            .channel()
            .eventLoop()
            .schedule(
                () -> context.channel().config().setAutoRead(true),
                PAUSE.toMillis(),
                TimeUnit.MILLISECONDS);
  }
}
