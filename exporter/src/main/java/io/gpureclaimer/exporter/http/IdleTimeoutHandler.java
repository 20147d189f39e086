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
 * Closes a connection whose client has sent nothing, or has read nothing of an answer, for too
 * long; zero disables a timeout. Micronaut reads the same two settings, but does nothing when they
 * expire.
 */
@Singleton
final class IdleTimeoutHandler implements BeanCreatedEventListener<NettyServerCustomizer.Registry> {
  private final Duration read;
  private final Duration write;

  IdleTimeoutHandler(
      @Property(name = "micronaut.server.read-idle-timeout") Duration read,
      @Property(name = "micronaut.server.write-idle-timeout") Duration write) {
    this.read = read;
    this.write = write;
  }

  @Override
  public NettyServerCustomizer.Registry onCreated(
      BeanCreatedEvent<NettyServerCustomizer.Registry> event) {
    var registry = event.getBean();
    registry.register(new Customizer(read, write));
    return registry;
  }

  private record Customizer(Duration read, Duration write) implements NettyServerCustomizer {
    @Override
    public NettyServerCustomizer specializeForChannel(Channel channel, ChannelRole role) {
      if (role == ChannelRole.CONNECTION) {
        channel.pipeline().addFirst(new ClosingHandler(read, write));
      }
      return this;
    }
  }

  /** Comes before TLS, so that it also closes connections whose handshake stalls. */
  private static final class ClosingHandler extends IdleStateHandler {
    ClosingHandler(Duration read, Duration write) {
      super(read.toMillis(), write.toMillis(), 0, TimeUnit.MILLISECONDS);
    }

    @Override
    protected void channelIdle(ChannelHandlerContext context, IdleStateEvent event) {
      if (hasPendingAnswer(context.channel()) == (event.state() == IdleState.WRITER_IDLE)) {
        var _ = context.close();
      }
    }

    private static boolean hasPendingAnswer(Channel channel) {
      var pending = channel.unsafe().outboundBuffer();
      return pending != null && !pending.isEmpty();
    }
  }
}
