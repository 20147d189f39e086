package io.gpureclaimer.deviceplugin.cdi;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.nvml.inventory.GpuFacts;
import io.gpureclaimer.nvml.inventory.Inventory;
import io.gpureclaimer.nvml.inventory.SurveyedGpu;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What was last known of GPUs that cannot be asked now, so that the names of their devices stay
 * good for the pods that hold them. Confined to the thread that publishes.
 */
final class LastKnown {
  private final Map<GpuUuid, GpuFacts> known = new HashMap<>();

  /**
   * The GPUs of the node.
   *
   * @param gpus in the driver's order
   * @param isComplete whether something is known of each
   */
  record Roster(List<GpuFacts> gpus, boolean isComplete) {
    Roster {
      gpus = List.copyOf(gpus);
    }
  }

  Roster complete(Inventory inventory) {
    var gpus = new ArrayList<GpuFacts>();
    boolean complete = true;
    for (SurveyedGpu gpu : inventory.gpus()) {
      switch (gpu) {
        case SurveyedGpu.Answered(var facts) -> gpus.add(facts);
        case SurveyedGpu.Unreadable(_, var uuid, _) -> {
          GpuFacts facts = uuid == null ? null : known.get(uuid);
          if (facts == null) {
            complete = false;
          } else {
            gpus.add(facts);
          }
        }
      }
    }
    known.clear();
    gpus.forEach(facts -> known.put(facts.gpu().uuid(), facts));
    return new Roster(gpus, complete);
  }
}
