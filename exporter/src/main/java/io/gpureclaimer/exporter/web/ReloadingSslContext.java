package io.gpureclaimer.exporter.web;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.ApplicationProtocolNegotiator;
import io.netty.handler.ssl.SslContext;
import java.util.List;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSessionContext;

/** Gives each new connection the certificates that are in force. For any thread. */
final class ReloadingSslContext extends SslContext {
  private final Supplier<SslContext> current;

  ReloadingSslContext(Supplier<SslContext> current) {
    this.current = current;
  }

  @Override
  public SSLEngine newEngine(ByteBufAllocator memory) {
    return current.get().newEngine(memory);
  }

  @Override
  public SSLEngine newEngine(ByteBufAllocator memory, String peerHost, int peerPort) {
    return current.get().newEngine(memory, peerHost, peerPort);
  }

  @Override
  public boolean isClient() {
    return false;
  }

  @Override
  public List<String> cipherSuites() {
    return current.get().cipherSuites();
  }

  @Override
  @SuppressWarnings("deprecation") // abstract in Netty
  public ApplicationProtocolNegotiator applicationProtocolNegotiator() {
    return current.get().applicationProtocolNegotiator();
  }

  @Override
  public SSLSessionContext sessionContext() {
    return current.get().sessionContext();
  }
}
