package io.gpureclaimer.exporter.http;

import io.gpureclaimer.exporter.web.WebFiles;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.server.HttpServerConfiguration;
import io.micronaut.http.server.netty.ssl.ServerSslBuilder;
import io.micronaut.http.ssl.ServerSslConfiguration;
import io.netty.handler.ssl.SslContext;
import jakarta.inject.Singleton;
import java.util.Optional;

/** Has the server speak TLS, on the one port that it has, if the web configuration says so. */
@Singleton
@Requires(bean = WebFiles.class)
final class Tls implements ServerSslBuilder {
  private final Optional<SslContext> context;
  private final ServerSslConfiguration configuration = new ServerSslConfiguration();

  @SuppressWarnings("deprecation") // the server takes the port of HTTPS from nowhere else
  Tls(WebFiles web, HttpServerConfiguration server) {
    context = web.tls();
    configuration.setEnabled(context.isPresent());
    server.getPort().ifPresent(configuration::setPort);
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
