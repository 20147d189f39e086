package io.gpureclaimer.exporter.sample;

import io.gpureclaimer.common.device.MigInstance;
import io.gpureclaimer.common.vocabulary.DcgmField;
import java.util.List;
import java.util.Set;

/**
 * Readings of one GPU instance.
 *
 * @param instance the part of the GPU
 * @param readings those that are the instance's own, in order of field id
 * @param failed the fields that the instance should report and failed to, this time
 */
public record InstanceSample(MigInstance instance, List<Reading> readings, Set<DcgmField> failed) {
  public InstanceSample {
    readings = Reading.inOrder(readings);
    failed = Set.copyOf(failed);
  }
}
