package io.gpureclaimer.exporter.http;

import io.gpureclaimer.exporter.web.WebConfigFiles;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.server.netty.ssl.ServerSslBuilder;
import io.micronaut.http.ssl.ServerSslConfiguration;
import io.netty.handler.ssl.SslContext;
import jakarta.inject.Singleton;
import java.util.Optional;

/** TLS of the server, if the web configuration has it. */
@Singleton
@Requires(bean = WebConfigFiles.class)
final class ServerTls implements ServerSslBuilder {
  private final Optional<SslContext> context;
  private final ServerSslConfiguration configuration = new ServerSslConfiguration();

  ServerTls(WebConfigFiles web) {
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
