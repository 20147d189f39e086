package io.gpureclaimer.exporter.http;

import io.gpureclaimer.exporter.web.WebFiles;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.server.netty.ssl.ServerSslBuilder;
import io.micronaut.http.ssl.ServerSslConfiguration;
import io.netty.handler.ssl.SslContext;
import jakarta.inject.Singleton;
import java.util.Optional;

/** The server's TLS, if the web configuration says so. */
@Singleton
@Requires(bean = WebFiles.class)
final class Tls implements ServerSslBuilder {
  private final Optional<SslContext> context;
  private final ServerSslConfiguration configuration = new ServerSslConfiguration();

  Tls(WebFiles web) {
    context = web.tls();
    configuration.setEnabled(context.isPresent());
  }

  @Override
  public ServerSslConfiguration getSslConfiguration() {
    return configuration;
  }

  @Override
  public Optional<SslContext> build() {
    return context;
  }
}
