package io.gpureclaimer.exporter.http.status;

import io.gpureclaimer.core.allocation.OfferedResource;
import io.gpureclaimer.core.allocation.Portion;
import io.gpureclaimer.core.health.device.Condition;
import io.gpureclaimer.exporter.attribution.SourceState.NotConfigured;
import io.gpureclaimer.exporter.deviceplugin.PluginStatus;
import io.gpureclaimer.exporter.exposition.Shown;
import io.gpureclaimer.exporter.http.status.Html.Cell;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** A row for every device that is offered: whether the kubelet may give it out, and who has it. */
final class OfferedRows {
  private OfferedRows() {}

  static List<List<Cell>> of(PluginStatus seen, Optional<Shown> sampled) {
    var rows = new ArrayList<List<Cell>>();
    for (OfferedResource resource : seen.view().offer().resources().values()) {
      for (Portion portion : resource.portions()) {
        rows.add(
            List.of(
                Cell.plain(name(portion)),
                Cell.plain(resource.name().value()),
                Cell.plain(portion.isShared() ? String.valueOf(portion.replicas()) : "–"),
                health(portion, seen),
                Cell.plain(sampled.map(shown -> holders(portion, shown)).orElse("not asked"))));
      }
    }
    return rows;
  }

  private static String name(Portion portion) {
    String profile = portion.device().profile();
    return portion.device().index()
        + " "
        + portion.device().uuid()
        + (profile == null ? "" : " (" + profile + ")");
  }

  private static Cell health(Portion portion, PluginStatus seen) {
    var obstacle = seen.view().obstacles().get(portion.device().uuid());
    return switch (seen.conditions().get(portion.device().entity())) {
      case Condition.Unhealthy(_, var text, _) -> Cell.bad("no: " + text);
      case null -> Cell.plain("not known");
      case Condition.Healthy() when obstacle != null -> Cell.bad("no: " + obstacle.text());
      case Condition.Healthy() ->
          portion.healthy()
              ? Cell.good("yes")
              : Cell.bad("no: how its GPU is divided does not fit the MIG strategy");
    };
  }

  private static String holders(Portion portion, Shown shown) {
    if (shown.source() instanceof NotConfigured) {
      return "not asked, see --kubernetes";
    }
    var held = shown.snapshot().holders().getOrDefault(portion.device().entity(), List.of());
    return held.isEmpty()
        ? "nobody"
        : held.stream()
            .map(it -> it.namespace() + "/" + it.pod() + " (" + it.container() + ")")
            .collect(Collectors.joining(", "));
  }
}
