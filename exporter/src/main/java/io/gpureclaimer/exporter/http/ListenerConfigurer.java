package io.gpureclaimer.exporter.http;

import io.gpureclaimer.exporter.web.WebConfigFiles;
import io.micronaut.context.event.BeanCreatedEvent;
import io.micronaut.context.event.BeanCreatedEventListener;
import io.micronaut.http.server.netty.configuration.NettyHttpServerConfiguration;
import io.micronaut.http.server.netty.configuration.NettyHttpServerConfiguration.NettyListenerConfiguration;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;

/** Adds TLS to the listener of the server, if the web configuration has it. */
@Singleton
final class ListenerConfigurer implements BeanCreatedEventListener<NettyHttpServerConfiguration> {
  private final Optional<WebConfigFiles> files;

  ListenerConfigurer(Optional<WebConfigFiles> files) {
    this.files = files;
  }

  @Override
  public NettyHttpServerConfiguration onCreated(
      BeanCreatedEvent<NettyHttpServerConfiguration> event) {
    var server = event.getBean();
    if (files.flatMap(WebConfigFiles::tls).isPresent()) {
      server.setListeners(
          List.of(
              NettyListenerConfiguration.createTcp(
                  server.getHost().orElse(null), server.getPort().orElse(0), true, null, null)));
    }
    return server;
  }
}
