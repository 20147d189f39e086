package io.gpureclaimer.exporter.http.status;

import io.gpureclaimer.deviceplugin.allocation.ResourceName;
import io.gpureclaimer.deviceplugin.kubelet.Latencies;
import io.gpureclaimer.deviceplugin.kubelet.ResourceState;
import io.gpureclaimer.deviceplugin.plugin.AllocationOutcome;
import io.gpureclaimer.deviceplugin.runtime.Configuration;
import io.gpureclaimer.deviceplugin.runtime.PluginStatus;
import io.gpureclaimer.exporter.http.status.Html.Cell;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** What the device plugin rests on, and how each resource stands with the kubelet. */
final class PluginRows {
  private PluginRows() {}

  static List<List<Cell>> parts(PluginStatus seen) {
    var view = seen.view();
    var kubelet = seen.kubelet();
    var rows = new ArrayList<List<Cell>>();
    rows.add(configuration(view.configuration(), seen.at()));
    String down = view.driverDown();
    rows.add(
        down == null
            ? row("driver", Cell.good("answers"), "")
            : row("driver", Cell.bad("down"), down));
    String missing = kubelet.kubeletMissing();
    rows.add(
        missing == null
            ? row("kubelet", Cell.good("there"), kubelet.selfCheck())
            : row("kubelet", Cell.bad("missing"), missing));
    var cdi = view.cdi();
    rows.add(
        cdi.problems().isEmpty()
            ? row(
                "CDI specifications",
                cdi.devices().isEmpty() ? Cell.plain("none") : Cell.good("written"),
                cdi.devices().isEmpty() ? "" : cdi.devices().size() + " devices")
            : row("CDI specifications", Cell.bad("not whole"), String.join("; ", cdi.problems())));
    view.offer().problems().forEach(it -> rows.add(row("offer", Cell.bad("not whole"), it)));
    return rows;
  }

  private static List<Cell> configuration(Configuration.Standing standing, Instant now) {
    Instant since = standing.since();
    String force =
        since == null
            ? "none is in force"
            : standing.name()
                + ", in force for "
                + Ages.of(Duration.between(since, now))
                + (standing.why() == null ? "" : " (" + standing.why() + ")");
    if (standing.problems().isEmpty() && since != null) {
      return row("configuration", Cell.good("in force"), force);
    }
    String newest = String.join("; ", standing.problems());
    return row(
        "configuration",
        Cell.bad("refused"),
        newest.isEmpty() ? force : force + "; the newest: " + newest);
  }

  static List<List<Cell>> resources(PluginStatus seen) {
    return seen.kubelet().resources().entrySet().stream()
        .map(entry -> resource(entry.getKey(), entry.getValue(), seen.at()))
        .toList();
  }

  private static List<Cell> resource(ResourceName name, ResourceState state, Instant now) {
    Instant since = state.watchedSince();
    String devices = state.healthy() + " of " + state.devices() + " healthy";
    return List.of(
        Cell.plain(name.value()),
        since == null
            ? Cell.bad(state.registered() ? "registered, does not watch" : "not registered")
            : Cell.good("watches for " + Ages.of(Duration.between(since, now))),
        state.healthy() == state.devices() ? Cell.plain(devices) : Cell.bad(devices),
        Cell.plain(
            count(state, AllocationOutcome.GRANTED)
                + " granted, "
                + count(state, AllocationOutcome.REFUSED)
                + " refused, "
                + count(state, AllocationOutcome.FAILED)
                + " failed"),
        Cell.plain(Objects.requireNonNullElse(state.lastError(), "–")));
  }

  private static long count(ResourceState state, AllocationOutcome outcome) {
    return state.allocations().getOrDefault(outcome, Latencies.NONE).count();
  }

  private static List<Cell> row(String part, Cell state, String detail) {
    return List.of(Cell.plain(part), state, Cell.plain(detail));
  }
}
