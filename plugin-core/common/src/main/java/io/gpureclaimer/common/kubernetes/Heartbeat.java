package io.gpureclaimer.common.kubernetes;

import java.io.IOException;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Pings an open web socket, and breaks it when nothing at all was heard for a whole interval.
 *
 * <p>The JDK's web socket never pings. Without this, a watch whose connection died silently (a
 * rebooted load balancer, a dropped NAT entry) looks healthy for up to ten minutes while its view
 * grows stale.
 */
final class Heartbeat implements WebSocket.Listener {
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private final WebSocket.Listener listener;
  private final Duration interval;
  private final Executor later;
  private final AtomicBoolean heard = new AtomicBoolean(true);

  Heartbeat(WebSocket.Listener listener, Duration interval) {
    this.listener = listener;
    this.interval = interval;
    this.later = CompletableFuture.delayedExecutor(interval.toMillis(), TimeUnit.MILLISECONDS);
  }

  @Override
  public void onOpen(WebSocket socket) {
    later.execute(() -> beat(socket));
    listener.onOpen(socket);
  }

  @Override
  public CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
    heard.set(true);
    return listener.onText(socket, data, last);
  }

  @Override
  public CompletionStage<?> onBinary(WebSocket socket, ByteBuffer data, boolean last) {
    heard.set(true);
    return listener.onBinary(socket, data, last);
  }

  @Override
  public CompletionStage<?> onPing(WebSocket socket, ByteBuffer message) {
    heard.set(true);
    return listener.onPing(socket, message);
  }

  @Override
  public CompletionStage<?> onPong(WebSocket socket, ByteBuffer message) {
    heard.set(true);
    return listener.onPong(socket, message);
  }

  @Override
  public CompletionStage<?> onClose(WebSocket socket, int statusCode, String reason) {
    return listener.onClose(socket, statusCode, reason);
  }

  @Override
  public void onError(WebSocket socket, Throwable error) {
    listener.onError(socket, error);
  }

  private void beat(WebSocket socket) {
    if (socket.isInputClosed() || socket.isOutputClosed()) {
      return;
    }
    if (!heard.getAndSet(false)) {
      socket.abort();
      listener.onError(
          socket, new IOException("nothing heard for " + interval.toMillis() + " ms after a ping"));
      return;
    }
    // A ping that cannot be sent shows at the next beat, as silence.
    var _ = socket.sendPing(NOTHING.duplicate());
    later.execute(() -> beat(socket));
  }
}
