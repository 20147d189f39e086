package io.gpureclaimer.exporter.collect.fields;

import static io.gpureclaimer.common.vocabulary.DcgmField.DEV_DEC_UTIL;
import static io.gpureclaimer.common.vocabulary.DcgmField.DEV_ENC_UTIL;

import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.exporter.collect.Collector;
import io.gpureclaimer.exporter.collect.Readings;
import io.gpureclaimer.nvml.poll.PolledGpu;
import jakarta.inject.Singleton;
import java.util.Set;

/** Shares of time in which the video encoder and decoder ran. */
@Singleton
public final class CodecCollector implements Collector {
  @Override
  public String name() {
    return "codec";
  }

  @Override
  public Set<DcgmField> fields() {
    return Set.of(DEV_ENC_UTIL, DEV_DEC_UTIL);
  }

  @Override
  public void collect(PolledGpu device, Readings into) {
    if (into.wants(DEV_ENC_UTIL)) {
      into.add(DEV_ENC_UTIL, device.nvml().encoderUtilizationPercent(device.handle()), p -> p);
    }
    if (into.wants(DEV_DEC_UTIL)) {
      into.add(DEV_DEC_UTIL, device.nvml().decoderUtilizationPercent(device.handle()), p -> p);
    }
  }
}
