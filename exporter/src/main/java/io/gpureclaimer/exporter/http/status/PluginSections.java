package io.gpureclaimer.exporter.http.status;

import io.gpureclaimer.deviceplugin.runtime.NodeCheck;
import io.gpureclaimer.deviceplugin.runtime.PluginStatus;
import io.gpureclaimer.doctor.Diagnosis.Examined;
import io.gpureclaimer.doctor.Outcome;
import io.gpureclaimer.exporter.exposition.Shown;
import io.gpureclaimer.exporter.http.status.Html.Cell;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What the device plugin offers and how it stands with the kubelet; what is wrong with the node.
 */
final class PluginSections {
  private PluginSections() {}

  static void write(PluginStatus seen, Optional<Shown> sampled, Html page) {
    page.heading("Device plugin")
        .table(List.of("part", "state", "detail"), PluginRows.parts(seen))
        .heading("Resources");
    var resources = PluginRows.resources(seen);
    if (resources.isEmpty()) {
      page.paragraph("None is offered.");
    } else {
      page.table(
          List.of("resource", "kubelet", "devices", "requests", "what went wrong last"), resources);
    }
    var offered = OfferedRows.of(seen, sampled);
    if (!offered.isEmpty()) {
      page.heading("Offered devices")
          .table(List.of("device", "resource", "shares", "healthy", "held by"), offered);
    }
    check(seen, page);
  }

  private static void check(PluginStatus seen, Html page) {
    page.heading("Node");
    if (seen.simulated()) {
      page.paragraph("Not looked at: the GPUs are simulated.");
      return;
    }
    Optional<NodeCheck.Examined> check = seen.check();
    if (check.isEmpty()) {
      page.paragraph("Being looked at.");
      return;
    }
    page.table(
            List.of("check", "state", "found", "what to do"),
            check.get().diagnosis().byUrgency().stream().map(PluginSections::row).toList())
        .paragraph("Looked at " + Ages.of(Duration.between(check.get().at(), seen.at())) + " ago.");
  }

  private static List<Cell> row(Examined one) {
    var state =
        switch (one.outcome()) {
          case Outcome.Problem _ -> Cell.bad("problem");
          case Outcome.Warning _ -> Cell.bad("warning");
          case Outcome.CannotTell _ -> Cell.plain("unknown");
          case Outcome.Ok _ -> Cell.good("well");
          case Outcome.NotApplicable _ -> Cell.plain("–");
        };
    return List.of(
        Cell.plain(one.check()),
        state,
        Cell.plain(one.outcome().text()),
        Cell.plain(advice(one.outcome())));
  }

  private static String advice(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Problem(_, var advice) -> advice;
      case Outcome.Warning(_, var advice) -> advice;
      case Outcome.CannotTell _, Outcome.Ok _, Outcome.NotApplicable _ -> "";
    };
  }
}
