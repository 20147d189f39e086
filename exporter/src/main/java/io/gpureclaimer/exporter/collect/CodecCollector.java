package io.gpureclaimer.exporter.collect;

import static io.gpureclaimer.core.vocabulary.DcgmField.DEV_DEC_UTIL;
import static io.gpureclaimer.core.vocabulary.DcgmField.DEV_ENC_UTIL;

import jakarta.inject.Singleton;

/** Shares of time in which the video encoder and decoder ran. */
@Singleton
final class CodecCollector implements Collector {
  @Override
  public String name() {
    return "codec";
  }

  @Override
  public void collect(Device device, Readings into) {
    into.add(DEV_ENC_UTIL, device.nvml().encoderUtilizationPercent(device.handle()), p -> p);
    into.add(DEV_DEC_UTIL, device.nvml().decoderUtilizationPercent(device.handle()), p -> p);
  }
}
