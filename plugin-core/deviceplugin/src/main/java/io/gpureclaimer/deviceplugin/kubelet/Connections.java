package io.gpureclaimer.deviceplugin.kubelet;

import io.grpc.Attributes;
import io.grpc.ServerTransportFilter;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts who is connected to a server. For any thread. */
final class Connections extends ServerTransportFilter {
  private final AtomicInteger open = new AtomicInteger();
  private final Runnable changed;

  /**
   * @param changed hears that somebody is gone
   */
  Connections(Runnable changed) {
    this.changed = changed;
  }

  boolean any() {
    return open.get() > 0;
  }

  @Override
  public Attributes transportReady(Attributes attributes) {
    open.incrementAndGet();
    return attributes;
  }

  @Override
  public void transportTerminated(Attributes attributes) {
    open.decrementAndGet();
    changed.run();
  }
}
