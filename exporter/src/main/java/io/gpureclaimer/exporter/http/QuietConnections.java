package io.gpureclaimer.exporter.http;

import io.micronaut.context.annotation.Property;
import io.micronaut.context.event.BeanCreatedEvent;
import io.micronaut.context.event.BeanCreatedEventListener;
import io.micronaut.http.server.netty.NettyServerCustomizer;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.timeout.IdleState;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.handler.timeout.IdleStateHandler;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Closes a connection from which nothing has come for too long, and one whose other end takes
 * nothing of an answer for too long; zero is for ever. Micronaut reads the same two settings, but
 * does nothing when their time is over.
 */
@Singleton
final class QuietConnections implements BeanCreatedEventListener<NettyServerCustomizer.Registry> {
  private final Duration read;
  private final Duration write;

  QuietConnections(
      @Property(name = "micronaut.server.read-idle-timeout") Duration read,
      @Property(name = "micronaut.server.write-idle-timeout") Duration write) {
    this.read = read;
    this.write = write;
  }

  @Override
  public NettyServerCustomizer.Registry onCreated(
      BeanCreatedEvent<NettyServerCustomizer.Registry> event) {
    var registry = event.getBean();
    registry.register(new ForEachConnection(read, write));
    return registry;
  }

  private record ForEachConnection(Duration read, Duration write) implements NettyServerCustomizer {
    @Override
    public NettyServerCustomizer specializeForChannel(Channel channel, ChannelRole role) {
      if (role == ChannelRole.CONNECTION) {
        channel.pipeline().addFirst(new Closing(read, write));
      }
      return this;
    }
  }

  /** Before TLS: a handshake that stands still is a quiet connection, too. */
  private static final class Closing extends IdleStateHandler {
    Closing(Duration read, Duration write) {
      super(read.toMillis(), write.toMillis(), 0, TimeUnit.MILLISECONDS);
    }

    @Override
    protected void channelIdle(ChannelHandlerContext context, IdleStateEvent event) {
      if (isBeingAnswered(context.channel()) == (event.state() == IdleState.WRITER_IDLE)) {
        var _ = context.close();
      }
    }

    private static boolean isBeingAnswered(Channel channel) {
      var waiting = channel.unsafe().outboundBuffer();
      return waiting != null && !waiting.isEmpty();
    }
  }
}
