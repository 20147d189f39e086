package io.gpureclaimer.exporter.http;

import io.gpureclaimer.exporter.web.WebFiles;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.event.BeanCreatedEvent;
import io.micronaut.context.event.BeanCreatedEventListener;
import io.micronaut.http.HttpVersion;
import io.micronaut.http.server.netty.configuration.NettyHttpServerConfiguration;
import jakarta.inject.Singleton;

/** Has the server speak HTTP/2, if the web configuration offers it. */
@Singleton
@Requires(bean = WebFiles.class)
final class Http2Offer implements BeanCreatedEventListener<NettyHttpServerConfiguration> {
  private final WebFiles web;

  Http2Offer(WebFiles web) {
    this.web = web;
  }

  @Override
  public NettyHttpServerConfiguration onCreated(
      BeanCreatedEvent<NettyHttpServerConfiguration> event) {
    if (web.offersHttp2()) {
      event.getBean().setHttpVersion(HttpVersion.HTTP_2_0);
    }
    return event.getBean();
  }
}
