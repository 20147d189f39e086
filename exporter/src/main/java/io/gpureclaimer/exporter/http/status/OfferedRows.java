package io.gpureclaimer.exporter.http.status;

import io.gpureclaimer.deviceplugin.allocation.OfferedResource;
import io.gpureclaimer.deviceplugin.allocation.Portion;
import io.gpureclaimer.deviceplugin.health.device.Condition;
import io.gpureclaimer.deviceplugin.kubelet.Listing;
import io.gpureclaimer.deviceplugin.runtime.PluginStatus;
import io.gpureclaimer.exporter.attribution.SourceState.NotConfigured;
import io.gpureclaimer.exporter.exposition.Shown;
import io.gpureclaimer.exporter.http.status.Html.Cell;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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
                Cell.plain(holders(portion, seen, sampled))));
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

  /** By what was sampled, or, where nobody asks for that, by the kubelet's word to us. */
  private static String holders(Portion portion, PluginStatus seen, Optional<Shown> sampled) {
    Optional<Shown> asked = sampled.filter(shown -> !(shown.source() instanceof NotConfigured));
    if (asked.isPresent()) {
      var held =
          asked.get().snapshot().holders().getOrDefault(portion.device().entity(), List.of());
      return joined(held.stream().map(it -> holder(it.namespace(), it.pod(), it.container())));
    }
    return switch (seen.held().orElse(null)) {
      case null -> "being asked";
      case Listing.Unsupported() -> "the kubelet does not tell";
      case Listing.Failed(_, var reason) -> "not known: " + reason;
      case Listing.Listed(var devices, _) ->
          joined(
              devices.stream()
                  .filter(it -> portion.ids().contains(it.id()))
                  .map(it -> holder(it.namespace(), it.pod(), it.container())));
    };
  }

  private static String holder(String namespace, String pod, String container) {
    return namespace + "/" + pod + " (" + container + ")";
  }

  private static String joined(Stream<String> holders) {
    return Optional.of(holders.distinct().collect(Collectors.joining(", ")))
        .filter(text -> !text.isEmpty())
        .orElse("nobody");
  }
}
