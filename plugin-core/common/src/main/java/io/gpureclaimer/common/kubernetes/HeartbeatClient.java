package io.gpureclaimer.common.kubernetes;

import java.io.IOException;
import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.PushPromiseHandler;
import java.net.http.WebSocket;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;

/** The same client, but for its web sockets, which have a {@link Heartbeat}. */
final class HeartbeatClient extends HttpClient {
  private final HttpClient inner;
  private final Duration interval;

  HeartbeatClient(HttpClient inner, Duration interval) {
    this.inner = inner;
    this.interval = interval;
  }

  @Override
  public WebSocket.Builder newWebSocketBuilder() {
    return new HeartbeatSocketBuilder(inner.newWebSocketBuilder(), interval);
  }

  @Override
  public Optional<CookieHandler> cookieHandler() {
    return inner.cookieHandler();
  }

  @Override
  public Optional<Duration> connectTimeout() {
    return inner.connectTimeout();
  }

  @Override
  public Redirect followRedirects() {
    return inner.followRedirects();
  }

  @Override
  public Optional<ProxySelector> proxy() {
    return inner.proxy();
  }

  @Override
  public SSLContext sslContext() {
    return inner.sslContext();
  }

  @Override
  public SSLParameters sslParameters() {
    return inner.sslParameters();
  }

  @Override
  public Optional<Authenticator> authenticator() {
    return inner.authenticator();
  }

  @Override
  public Version version() {
    return inner.version();
  }

  @Override
  public Optional<Executor> executor() {
    return inner.executor();
  }

  @Override
  public <T> HttpResponse<T> send(HttpRequest request, BodyHandler<T> handler)
      throws IOException, InterruptedException {
    return inner.send(request, handler);
  }

  @Override
  public <T> CompletableFuture<HttpResponse<T>> sendAsync(
      HttpRequest request, BodyHandler<T> handler) {
    return inner.sendAsync(request, handler);
  }

  @Override
  public <T> CompletableFuture<HttpResponse<T>> sendAsync(
      HttpRequest request, BodyHandler<T> handler, PushPromiseHandler<T> pushPromiseHandler) {
    return inner.sendAsync(request, handler, pushPromiseHandler);
  }

  @Override
  public void close() {
    inner.close();
  }

  /** Passes every setting on, and puts a {@link Heartbeat} before the listener. */
  static final class HeartbeatSocketBuilder implements WebSocket.Builder {
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
}
