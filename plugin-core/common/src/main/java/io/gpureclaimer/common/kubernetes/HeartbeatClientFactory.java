package io.gpureclaimer.common.kubernetes;

import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.InetAddress;
import java.net.ProxySelector;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Redirect;
import java.net.http.HttpClient.Version;
import java.time.Duration;
import java.util.concurrent.Executor;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;

/** Makes JDK HTTP clients whose web sockets notice that the other side is gone. */
public final class HeartbeatClientFactory extends JdkHttpClientFactory {
  private final Duration interval;

  public HeartbeatClientFactory(Duration interval) {
    this.interval = interval;
  }

  @Override
  protected HttpClient.Builder createNewHttpClientBuilder() {
    return new HeartbeatClientBuilder(super.createNewHttpClientBuilder(), interval);
  }

  /** Passes every setting on, and wraps the client that comes out. */
  static final class HeartbeatClientBuilder implements HttpClient.Builder {
    private final HttpClient.Builder inner;
    private final Duration interval;

    HeartbeatClientBuilder(HttpClient.Builder inner, Duration interval) {
      this.inner = inner;
      this.interval = interval;
    }

    @Override
    public HttpClient build() {
      return new HeartbeatClient(inner.build(), interval);
    }

    @Override
    public HttpClient.Builder cookieHandler(CookieHandler cookieHandler) {
      inner.cookieHandler(cookieHandler);
      return this;
    }

    @Override
    public HttpClient.Builder connectTimeout(Duration duration) {
      inner.connectTimeout(duration);
      return this;
    }

    @Override
    public HttpClient.Builder sslContext(SSLContext sslContext) {
      inner.sslContext(sslContext);
      return this;
    }

    @Override
    public HttpClient.Builder sslParameters(SSLParameters sslParameters) {
      inner.sslParameters(sslParameters);
      return this;
    }

    @Override
    public HttpClient.Builder executor(Executor executor) {
      inner.executor(executor);
      return this;
    }

    @Override
    public HttpClient.Builder followRedirects(Redirect policy) {
      inner.followRedirects(policy);
      return this;
    }

    @Override
    public HttpClient.Builder version(Version version) {
      inner.version(version);
      return this;
    }

    @Override
    public HttpClient.Builder priority(int priority) {
      inner.priority(priority);
      return this;
    }

    @Override
    public HttpClient.Builder proxy(ProxySelector proxySelector) {
      inner.proxy(proxySelector);
      return this;
    }

    @Override
    public HttpClient.Builder authenticator(Authenticator authenticator) {
      inner.authenticator(authenticator);
      return this;
    }

    @Override
    public HttpClient.Builder localAddress(InetAddress localAddress) {
      inner.localAddress(localAddress);
      return this;
    }
  }
}
