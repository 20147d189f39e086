package io.gpureclaimer.exporter.http;

import io.gpureclaimer.exporter.web.WebFiles;
import io.micronaut.context.event.BeanCreatedEvent;
import io.micronaut.context.event.BeanCreatedEventListener;
import io.micronaut.http.HttpVersion;
import io.micronaut.http.server.netty.configuration.NettyHttpServerConfiguration;
import io.micronaut.http.server.netty.configuration.NettyHttpServerConfiguration.NettyListenerConfiguration;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;

/** Has the server listen once, with TLS or without. */
@Singleton
final class Listening implements BeanCreatedEventListener<NettyHttpServerConfiguration> {
  private final Optional<WebFiles> files;

  Listening(Optional<WebFiles> files) {
    this.files = files;
  }

  @Override
  public NettyHttpServerConfiguration onCreated(
      BeanCreatedEvent<NettyHttpServerConfiguration> event) {
    var server = event.getBean();
    boolean tls = files.flatMap(WebFiles::tls).isPresent();
    if (tls) {
      server.setListeners(List.of(listener(server, tls)));
    }
    if (files.filter(WebFiles::offersHttp2).isPresent()) {
      server.setHttpVersion(HttpVersion.HTTP_2_0);
    }
    return server;
  }

  private NettyListenerConfiguration listener(NettyHttpServerConfiguration server, boolean tls) {
    var listener =
        NettyListenerConfiguration.createTcp(
            server.getHost().orElse(null), server.getPort().orElse(0), tls, null, null);
    return listener;
  }
}
