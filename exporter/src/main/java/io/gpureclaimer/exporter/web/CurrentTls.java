package io.gpureclaimer.exporter.web;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.ApplicationProtocolNegotiator;
import io.netty.handler.ssl.SslContext;
import java.util.List;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSessionContext;

/** Serves each new connection with the certificates of the moment. For any thread. */
final class CurrentTls extends SslContext {
  private final Supplier<Ready> now;

  /**
   * @param now what is in force
   */
  CurrentTls(Supplier<Ready> now) {
    this.now = now;
  }

  /** A context, and the settings that it was made from. */
  record Ready(SslContext context, TlsSettings settings) {}

  @Override
  public SSLEngine newEngine(ByteBufAllocator memory) {
    var ready = now.get();
    return tuned(ready.context().newEngine(memory), ready.settings());
  }

  @Override
  public SSLEngine newEngine(ByteBufAllocator memory, String peerHost, int peerPort) {
    var ready = now.get();
    return tuned(ready.context().newEngine(memory, peerHost, peerPort), ready.settings());
  }

  @Override
  public boolean isClient() {
    return false;
  }

  @Override
  public List<String> cipherSuites() {
    return now.get().context().cipherSuites();
  }

  @Override
  @SuppressWarnings("deprecation") // abstract in Netty
  public ApplicationProtocolNegotiator applicationProtocolNegotiator() {
    return now.get().context().applicationProtocolNegotiator();
  }

  @Override
  public SSLSessionContext sessionContext() {
    return now.get().context().sessionContext();
  }

  private static SSLEngine tuned(SSLEngine engine, TlsSettings settings) {
    var parameters = engine.getSSLParameters();
    SslContexts.tune(parameters, settings);
    engine.setSSLParameters(parameters);
    return engine;
  }
}
