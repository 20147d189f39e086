package io.gpureclaimer.nvml.inventory;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.nvml.inventory.Change.ActionChanged;
import io.gpureclaimer.nvml.inventory.Change.Answers;
import io.gpureclaimer.nvml.inventory.Change.Appeared;
import io.gpureclaimer.nvml.inventory.Change.Divided;
import io.gpureclaimer.nvml.inventory.Change.DriverChanged;
import io.gpureclaimer.nvml.inventory.Change.Silenced;
import io.gpureclaimer.nvml.inventory.Change.Vanished;
import io.gpureclaimer.nvml.inventory.SurveyedGpu.Answered;
import io.gpureclaimer.nvml.inventory.SurveyedGpu.Unreadable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Tells what is otherwise than before; a GPU that never told its name is nobody's change. */
public final class Changes {

  /** In the order of the driver's indices, the vanished last. */
  public static List<Change> between(Inventory before, Inventory now) {
    List<Change> changes = new ArrayList<>();
    if (!Objects.equals(before.driverVersion(), now.driverVersion())) {
      changes.add(new DriverChanged(before.driverVersion(), now.driverVersion()));
    }
    Map<GpuUuid, SurveyedGpu> then = byName(before);
    Map<GpuUuid, SurveyedGpu> present = byName(now);
    present.forEach((uuid, gpu) -> changes.addAll(of(uuid, then.get(uuid), gpu)));
    then.keySet().stream()
        .filter(uuid -> !present.containsKey(uuid))
        .map(Vanished::new)
        .forEach(changes::add);
    return changes;
  }

  private static List<Change> of(GpuUuid uuid, @Nullable SurveyedGpu before, SurveyedGpu now) {
    List<Change> changes = new ArrayList<>();
    if (before == null) {
      changes.add(new Appeared(uuid));
    }
    switch (now) {
      case Unreadable(_, _, var reason) -> {
        if (!(before instanceof Unreadable)) {
          changes.add(new Silenced(uuid, reason));
        }
      }
      case Answered(var facts) -> {
        if (before instanceof Unreadable) {
          changes.add(new Answers(uuid));
        }
        if (before instanceof Answered(var factsBefore)) {
          changes.addAll(of(factsBefore, facts));
        }
      }
    }
    return changes;
  }

  private static List<Change> of(GpuFacts before, GpuFacts now) {
    List<Change> changes = new ArrayList<>();
    if (before.migOn() != now.migOn() || !before.instances().equals(now.instances())) {
      changes.add(
          new Divided(now.gpu().uuid(), now.instances().stream().map(MigFacts::profile).toList()));
    }
    if (before.recovery() != now.recovery()) {
      changes.add(new ActionChanged(now.gpu().uuid(), now.recovery()));
    }
    return changes;
  }

  private static Map<GpuUuid, SurveyedGpu> byName(Inventory inventory) {
    Map<GpuUuid, SurveyedGpu> byName = new LinkedHashMap<>();
    for (SurveyedGpu gpu : inventory.gpus()) {
      GpuUuid uuid =
          switch (gpu) {
            case Answered(var facts) -> facts.gpu().uuid();
            case Unreadable(_, var told, _) -> told;
          };
      if (uuid != null) {
        byName.put(uuid, gpu);
      }
    }
    return byName;
  }

  private Changes() {}
}
