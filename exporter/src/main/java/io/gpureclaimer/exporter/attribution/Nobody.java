package io.gpureclaimer.exporter.attribution;

import java.util.Map;

/** The source of an agent that was not told where to look. */
public final class Nobody implements HolderSource {
  private static final Attribution NOBODY =
      new Attribution(Map.of(), new SourceState.NotConfigured());

  @Override
  public Attribution now(DeviceLookup devices) {
    return NOBODY;
  }
}
