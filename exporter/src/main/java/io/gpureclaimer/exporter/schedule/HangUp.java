package io.gpureclaimer.exporter.schedule;

import io.gpureclaimer.exporter.signal.HangUpSignal;
import io.micronaut.context.annotation.Context;
import java.util.concurrent.atomic.AtomicBoolean;

/** Remembers that the program was asked to read its configuration again. */
@Context
final class HangUp {
  private final AtomicBoolean came = new AtomicBoolean();

  HangUp() {
    HangUpSignal.handle(() -> came.set(true));
  }

  /** Whether it was, since this was last asked. */
  boolean hasCome() {
    return came.getAndSet(false);
  }
}
