package io.gpureclaimer.common.http;

import io.gpureclaimer.common.time.MonotonicClock;
import io.micronaut.context.event.BeanCreatedEvent;
import io.micronaut.context.event.BeanCreatedEventListener;
import io.micronaut.http.netty.channel.ChannelPipelineCustomizer;
import io.micronaut.http.server.netty.NettyServerCustomizer;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.concurrent.Future;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Limits number and duration of connections of a server. A new connection above the limit takes the
 * place of one on which no request has been answered yet, the oldest of the client with the most
 * connections, or else of the one that has been silent for longest: a client that asks and reads is
 * served whatever the others do. A client whose connections have taken such places too often within
 * a second is refused before anything is allocated for the connection.
 */
public final class ConnectionGuard
    implements BeanCreatedEventListener<NettyServerCustomizer.Registry> {
  private static final Logger log = LoggerFactory.getLogger(ConnectionGuard.class);

  /** An answer that takes longer may lose its connection to a new one. */
  private static final Duration SLOW_ANSWER = Duration.ofSeconds(1);

  /** So long without a closed or refused connection, the limit counts as no longer reached. */
  private static final Duration CALM = Duration.ofSeconds(30);

  private final ConnectionLimits limits;
  private final MonotonicClock monotonic;

  /** In the order of opening. */
  private final Set<Connection> open = new LinkedHashSet<>();

  /** Counted, since a flood asks for it thousands of times a second. */
  private final Map<String, Integer> openByClient = new HashMap<>();

  /** Connections by client that had to take another one's place since {@link #secondBegan}. */
  private final Map<String, Integer> replacements = new HashMap<>();

  private long secondBegan;

  private final LongAdder closedAtLimit = new LongAdder();
  private final LongAdder closedAtDeadline = new LongAdder();
  private Optional<Long> lastAtLimit = Optional.empty();

  public ConnectionGuard(ConnectionLimits limits, MonotonicClock monotonic) {
    this.limits = limits;
    this.monotonic = monotonic;
  }

  @Override
  public NettyServerCustomizer.Registry onCreated(
      BeanCreatedEvent<NettyServerCustomizer.Registry> event) {
    event.getBean().register(new ListenerCustomizer());
    return event.getBean();
  }

  /** Connections that are open now. */
  public int open() {
    synchronized (open) {
      return open.size();
    }
  }

  /** Connections that were closed, or refused, because too many were open. */
  public long closedAtLimit() {
    return closedAtLimit.sum();
  }

  /** Connections that were closed because a request or an answer took too long. */
  public long closedAtDeadline() {
    return closedAtDeadline.sum();
  }

  private final class ListenerCustomizer implements NettyServerCustomizer {
    @Override
    public NettyServerCustomizer specializeForChannel(Channel channel, ChannelRole role) {
      return switch (role) {
        case LISTENER -> {
          channel.pipeline().addFirst(new AcceptFailures("HTTP"), new EarlyRefusal());
          yield this;
        }
        case CONNECTION -> new ConnectionCustomizer(admit(channel));
        case REQUEST_STREAM, PUSH_PROMISE_STREAM -> this;
      };
    }
  }

  private record ConnectionCustomizer(Connection connection) implements NettyServerCustomizer {
    @Override
    public NettyServerCustomizer specializeForChannel(Channel channel, ChannelRole role) {
      return this;
    }

    @Override
    public void onStreamPipelineBuilt() {
      connection
          .channel
          .pipeline()
          .addAfter(
              ChannelPipelineCustomizer.HANDLER_HTTP_SERVER_CODEC,
              "request-deadlines",
              new RequestWatch(connection));
    }
  }

  private Connection admit(Channel channel) {
    var connection = new Connection(channel, client(channel.remoteAddress()));
    Optional<Connection> closing = Optional.empty();
    synchronized (open) {
      if (openOf(connection.client) >= limits.perClient()) {
        closing = Optional.of(toClose(connection, other -> other.client.equals(connection.client)));
      } else if (open.size() >= limits.connections()) {
        closing = Optional.of(toClose(connection, _ -> true));
      }
      closing.ifPresent(this::remove);
      if (!closing.equals(Optional.of(connection))) {
        add(connection);
      }
    }
    if (closing.isPresent()) {
      closedAtLimit.increment();
      logLimit(connection.client);
      closing.get().close();
    }
    if (channel.isOpen()) {
      connection.awaitRequest();
      channel
          .closeFuture()
          .addListener(
              _ -> {
                synchronized (open) {
                  remove(connection);
                }
                connection.stopTimer();
              });
    }
    return connection;
  }

  /** Whether this client has taken as many places within a second as it may have connections. */
  private boolean isFlooding(String client) {
    synchronized (open) {
      boolean full = open.size() >= limits.connections() || openOf(client) >= limits.perClient();
      return full && replacementsThisSecond().merge(client, 1, Integer::sum) > limits.perClient();
    }
  }

  private int openOf(String client) {
    return openByClient.getOrDefault(client, 0);
  }

  private void add(Connection connection) {
    open.add(connection);
    openByClient.merge(connection.client, 1, Integer::sum);
  }

  private void remove(Connection connection) {
    if (open.remove(connection)) {
      openByClient.computeIfPresent(connection.client, (_, count) -> count == 1 ? null : count - 1);
    }
  }

  private Map<String, Integer> replacementsThisSecond() {
    long now = monotonic.nanos();
    if (now - secondBegan >= TimeUnit.SECONDS.toNanos(1)) {
      secondBegan = now;
      replacements.clear();
    }
    return replacements;
  }

  /** The connection to close so that another one fits; it may be the new one itself. */
  private Connection toClose(Connection newcomer, Predicate<Connection> counted) {
    List<Connection> rivals = open.stream().filter(counted).toList();
    return rivals.stream()
        .filter(other -> !other.served && other.unanswered == 0)
        .min(Comparator.comparingInt(other -> -openOf(other.client)))
        .or(
            () ->
                rivals.stream()
                    .filter(other -> other.unanswered == 0)
                    .min(Comparator.comparingLong(other -> other.since)))
        .or(
            () ->
                rivals.stream()
                    .filter(other -> monotonic.nanos() - other.since > SLOW_ANSWER.toNanos())
                    .min(Comparator.comparingLong(other -> other.since)))
        .orElse(newcomer);
  }

  /** One line for a time of many connections. */
  private void logLimit(String client) {
    long now = monotonic.nanos();
    boolean begins;
    synchronized (open) {
      begins = lastAtLimit.filter(last -> now - last < CALM.toNanos()).isEmpty();
      lastAtLimit = Optional.of(now);
    }
    if (begins) {
      log.warn(
          "{} connections are open, the last one from {}: limit {}, per address {}; "
              + "closing those that are idle for longest",
          open(),
          client,
          limits.connections(),
          limits.perClient());
    }
  }

  private static String client(SocketAddress address) {
    return address instanceof InetSocketAddress internet
        ? internet.getAddress().getHostAddress()
        : String.valueOf(address);
  }

  /** One connection; its fields are written by the thread of its event loop. */
  private final class Connection {
    private final Channel channel;
    private final String client;
    private volatile int unanswered;
    private volatile boolean served;
    private volatile long since = monotonic.nanos();
    private Optional<Future<?>> timer = Optional.empty();

    Connection(Channel channel, String client) {
      this.channel = channel;
      this.client = client;
    }

    void awaitRequest() {
      restartTimer(limits.request());
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // by one thread
    void requested() {
      if (unanswered++ == 0) {
        restartTimer(limits.answer());
      }
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // by one thread
    void answered() {
      if (unanswered == 0) {
        // An answer to a request that is not whole yet, such as 100 Continue.
        return;
      }
      served = true;
      unanswered--;
      restartTimer(unanswered == 0 ? limits.request() : limits.answer());
    }

    private void restartTimer(Duration limit) {
      since = monotonic.nanos();
      stopTimer();
      if (!limit.isZero() && channel.isActive()) {
        timer =
            Optional.of(
                channel
                    .eventLoop()
                    .schedule(
                        () -> {
                          closedAtDeadline.increment();
                          close();
                        },
                        limit.toMillis(),
                        TimeUnit.MILLISECONDS));
      }
    }

    void stopTimer() {
      timer.ifPresent(each -> each.cancel(false));
    }

    void close() {
      var _ = channel.close();
    }
  }

  /** Sees whole requests and whole answers. */
  private static final class RequestWatch extends ChannelDuplexHandler {
    private final Connection connection;

    RequestWatch(Connection connection) {
      this.connection = connection;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      if (message instanceof LastHttpContent) {
        connection.requested();
      }
      context.fireChannelRead(message);
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
      if (message instanceof LastHttpContent) {
        ChannelPromise watched = promise.unvoid();
        watched.addListener(_ -> connection.answered());
        var _ = context.write(message, watched);
      } else {
        var _ = context.write(message, promise);
      }
    }
  }

  /** Closes connections of a client with too many, before they have a pipeline. */
  private final class EarlyRefusal extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      if (message instanceof Channel connection && isFlooding(client(connection.remoteAddress()))) {
        closedAtLimit.increment();
        logLimit(client(connection.remoteAddress()));
        connection.unsafe().closeForcibly();
      } else {
        context.fireChannelRead(message);
      }
    }
  }
}
