package io.gpureclaimer.deviceplugin.health.device;

import io.gpureclaimer.common.device.GpuUuid;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;

/** What is otherwise after a step than before it. */
record HealthNews(NodeState before, NodeState after) {
  private static final int WHOLE = -1;

  /** What tells one ailment from another; how far its cure has got does not. */
  private record Kind(Reason reason, String text, String where) {
    static Kind of(Ailment ailment) {
      String where = ailment.instance() == null ? "" : " instance " + ailment.instance();
      return new Kind(ailment.reason(), ailment.text(), where);
    }
  }

  /** Whether a device is healthy that was not, or the other way round. */
  boolean concernsDevices() {
    return !faces(before).equals(faces(after));
  }

  /** Whether something is to be remembered that was not, or the other way round. */
  boolean concernsAilments() {
    return !ailments(before).equals(ailments(after));
  }

  void log(Logger log) {
    Set<GpuUuid> all = new HashSet<>(before.gpus().keySet());
    all.addAll(after.gpus().keySet());
    for (GpuUuid gpu : all) {
      Set<Kind> then = kinds(before.of(gpu));
      Set<Kind> now = kinds(after.of(gpu));
      now.stream()
          .filter(kind -> !then.contains(kind))
          .forEach(kind -> log.warn("GPU {}{} is unhealthy: {}", gpu, kind.where(), kind.text()));
      then.stream()
          .filter(kind -> !now.contains(kind))
          .forEach(kind -> log.info("GPU {}{} is over this: {}", gpu, kind.where(), kind.text()));
    }
  }

  private static Set<Kind> kinds(GpuState gpu) {
    return gpu.ailments().stream().map(Kind::of).collect(Collectors.toSet());
  }

  /** Of each GPU that can be used at all, its parts with null for the whole, and who is healthy. */
  private static Map<GpuUuid, Set<Integer>> faces(NodeState state) {
    Map<GpuUuid, Set<Integer>> faces = new HashMap<>();
    state
        .gpus()
        .forEach(
            (uuid, gpu) -> {
              Set<Integer> healthy =
                  gpu.division().keySet().stream()
                      .filter(gpu::isHealthy)
                      .collect(Collectors.toSet());
              if (gpu.isHealthy(null)) {
                healthy.add(WHOLE);
              }
              faces.put(uuid, healthy);
            });
    faces.values().removeIf(Set::isEmpty);
    return faces;
  }

  private static Map<GpuUuid, List<Ailment>> ailments(NodeState state) {
    Map<GpuUuid, List<Ailment>> all = new HashMap<>();
    state
        .gpus()
        .forEach(
            (uuid, gpu) ->
                all.put(uuid, gpu.ailments().stream().map(Ailment::afterSurvey).toList()));
    all.values().removeIf(List::isEmpty);
    return all;
  }
}
