package io.gpureclaimer.common.kubernetes;

import java.net.URI;
import java.net.http.WebSocket;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** Passes every setting on, and puts a {@link Heartbeat} before the listener. */
final class HeartbeatSocketBuilder implements WebSocket.Builder {
  private final WebSocket.Builder inner;
  private final Duration interval;

  HeartbeatSocketBuilder(WebSocket.Builder inner, Duration interval) {
    this.inner = inner;
    this.interval = interval;
  }

  @Override
  public WebSocket.Builder header(String name, String value) {
    inner.header(name, value);
    return this;
  }

  @Override
  public WebSocket.Builder connectTimeout(Duration timeout) {
    inner.connectTimeout(timeout);
    return this;
  }

  @Override
  public WebSocket.Builder subprotocols(String mostPreferred, String... lesserPreferred) {
    inner.subprotocols(mostPreferred, lesserPreferred);
    return this;
  }

  @Override
  public CompletableFuture<WebSocket> buildAsync(URI uri, WebSocket.Listener listener) {
    return inner.buildAsync(uri, new Heartbeat(listener, interval));
  }
}
