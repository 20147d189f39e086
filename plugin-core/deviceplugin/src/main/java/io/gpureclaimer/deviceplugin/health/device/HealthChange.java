package io.gpureclaimer.deviceplugin.health.device;

import io.gpureclaimer.common.device.GpuUuid;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;

/** Difference between two health states. */
record HealthChange(NodeState before, NodeState after) {
  private static final int WHOLE = -1;

  /** Identity of an issue, without the progress of its recovery. */
  private record IssueKind(UnhealthyReason reason, String text, String where) {
    static IssueKind of(HealthIssue issue) {
      String where = issue.instance() == null ? "" : " instance " + issue.instance();
      return new IssueKind(issue.reason(), issue.text(), where);
    }
  }

  /** Whether a device is healthy that was not, or the other way round. */
  boolean concernsDevices() {
    return !faces(before).equals(faces(after));
  }

  /** Whether something is to be remembered that was not, or the other way round. */
  boolean concernsIssues() {
    return !issues(before).equals(issues(after));
  }

  void log(Logger log) {
    Set<GpuUuid> all = new HashSet<>(before.gpus().keySet());
    all.addAll(after.gpus().keySet());
    for (GpuUuid gpu : all) {
      Set<IssueKind> then = kinds(before.of(gpu));
      Set<IssueKind> now = kinds(after.of(gpu));
      now.stream()
          .filter(kind -> !then.contains(kind))
          .forEach(kind -> log.warn("GPU {}{} is unhealthy: {}", gpu, kind.where(), kind.text()));
      then.stream()
          .filter(kind -> !now.contains(kind))
          .forEach(kind -> log.info("GPU {}{} recovered from: {}", gpu, kind.where(), kind.text()));
    }
  }

  private static Set<IssueKind> kinds(GpuState gpu) {
    return gpu.issues().stream().map(IssueKind::of).collect(Collectors.toSet());
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

  private static Map<GpuUuid, List<HealthIssue>> issues(NodeState state) {
    Map<GpuUuid, List<HealthIssue>> all = new HashMap<>();
    state
        .gpus()
        .forEach(
            (uuid, gpu) ->
                all.put(uuid, gpu.issues().stream().map(HealthIssue::afterSurvey).toList()));
    all.values().removeIf(List::isEmpty);
    return all;
  }
}
