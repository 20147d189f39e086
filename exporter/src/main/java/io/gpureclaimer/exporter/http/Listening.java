package io.gpureclaimer.exporter.http;

import io.gpureclaimer.exporter.config.WebConfig;
import io.gpureclaimer.exporter.web.SystemdSocket;
import io.gpureclaimer.exporter.web.WebFiles;
import io.micronaut.context.event.BeanCreatedEvent;
import io.micronaut.context.event.BeanCreatedEventListener;
import io.micronaut.http.HttpVersion;
import io.micronaut.http.server.netty.configuration.NettyHttpServerConfiguration;
import io.micronaut.http.server.netty.configuration.NettyHttpServerConfiguration.NettyListenerConfiguration;
import io.netty.util.NetUtil;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;

/**
 * Has the server listen once: with TLS or without, on the address that it was given or on the
 * socket that systemd passed.
 */
@Singleton
final class Listening implements BeanCreatedEventListener<NettyHttpServerConfiguration> {
  /** Where the adopted socket is; see {@link SystemdSocket}. */
  private static final int STANDARD_INPUT = 0;

  private final WebConfig web;
  private final Optional<WebFiles> files;
  private final Optional<SystemdSocket> passed;

  Listening(WebConfig web, Optional<WebFiles> files, Optional<SystemdSocket> passed) {
    this.web = web;
    this.files = files;
    this.passed = passed;
  }

  @Override
  public NettyHttpServerConfiguration onCreated(
      BeanCreatedEvent<NettyHttpServerConfiguration> event) {
    var server = event.getBean();
    boolean tls = files.flatMap(WebFiles::tls).isPresent();
    passed
        .map(socket -> socket.address().getAddress())
        .filter(address -> !address.isAnyLocalAddress())
        .map(NetUtil::toAddressString)
        // So that the log says where; nothing is bound to it.
        .ifPresent(server::setHost);
    if (tls || web.systemdSocket()) {
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
    if (web.systemdSocket()) {
      listener.setFd(STANDARD_INPUT);
      listener.setBind(false);
    }
    return listener;
  }
}
