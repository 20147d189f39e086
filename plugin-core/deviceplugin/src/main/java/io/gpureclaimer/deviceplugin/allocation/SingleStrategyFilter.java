package io.gpureclaimer.deviceplugin.allocation;

import io.gpureclaimer.common.device.GpuUuid;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The rule of the MIG strategy single: devices that count as GPUs without having been named so are
 * alike. Where they are not, the GPUs that are divided as most of them stay; of equally many those
 * that are divided at all, and then the first.
 */
final class SingleStrategyFilter {
  private static final String WHOLE = "not divided";

  private final Consumer<String> problems;

  SingleStrategyFilter(Consumer<String> problems) {
    this.problems = problems;
  }

  List<NamedDevice> keep(List<NamedDevice> devices) {
    Map<GpuUuid, String> layouts = layouts(devices);
    Optional<String> prevailing = prevailing(layouts);
    Predicate<NamedDevice> kept =
        each ->
            !bound(each)
                || prevailing.equals(Optional.ofNullable(layouts.get(each.device().gpu())));
    if (!devices.stream().allMatch(kept)) {
      layouts.forEach((gpu, layout) -> reportProblem(gpu, layout, prevailing));
    }
    return devices.stream().filter(kept).toList();
  }

  /** What cannot be read now stays, whatever it was. */
  private static boolean bound(NamedDevice named) {
    return named.byDefault() && named.readable();
  }

  private static Map<GpuUuid, String> layouts(List<NamedDevice> devices) {
    return devices.stream()
        .filter(SingleStrategyFilter::bound)
        .collect(
            Collectors.groupingBy(
                each -> each.device().gpu(),
                LinkedHashMap::new,
                Collectors.collectingAndThen(
                    Collectors.mapping(
                        each -> Optional.ofNullable(each.device().profile()).orElse(WHOLE),
                        Collectors.toCollection(TreeSet::new)),
                    profiles -> String.join(" and ", profiles))));
  }

  private static Optional<String> prevailing(Map<GpuUuid, String> layouts) {
    Map<String, Long> counts =
        layouts.values().stream()
            .filter(layout -> !layout.contains(" and "))
            .collect(
                Collectors.groupingBy(layout -> layout, LinkedHashMap::new, Collectors.counting()));
    // max() would take the last of equals.
    return counts.entrySet().stream()
        .sorted(
            Comparator.<Map.Entry<String, Long>>comparingLong(Map.Entry::getValue)
                .reversed()
                .thenComparing(entry -> entry.getKey().equals(WHOLE)))
        .map(Map.Entry::getKey)
        .findFirst();
  }

  private void reportProblem(GpuUuid gpu, String layout, Optional<String> prevailing) {
    if (!prevailing.equals(Optional.of(layout))) {
      problems.accept(
          "the MIG strategy single needs GPUs that are divided alike: "
              + gpu
              + " is "
              + layout
              + prevailing.map(most -> ", most are " + most).orElse("")
              + "; nothing of it is offered until it is divided like the others, or the strategy is"
              + " mixed");
    }
  }
}
