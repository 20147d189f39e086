package io.gpureclaimer.exporter.schedule;

import io.gpureclaimer.exporter.signal.HangUpSignal;
import io.micronaut.context.annotation.Context;
import java.util.concurrent.atomic.AtomicBoolean;

/** Remembers that the program was asked to read its configuration again. */
@Context
final class SighupFlag {
  private final AtomicBoolean came = new AtomicBoolean();

  SighupFlag() {
    HangUpSignal.handle(() -> came.set(true));
  }

  /** Whether it was, since this was last asked. */
  boolean hasCome() {
    return came.getAndSet(false);
  }
}
