package io.gpureclaimer.exporter.http.status;

import io.gpureclaimer.exporter.attribution.PodRegister.Watch;
import io.gpureclaimer.exporter.attribution.SourceState.Contact;
import io.gpureclaimer.exporter.attribution.SourceState.NotConfigured;
import io.gpureclaimer.exporter.attribution.SourceState.OfFile;
import io.gpureclaimer.exporter.attribution.SourceState.OfKubelet;
import io.gpureclaimer.exporter.counters.CountersWatch.Standing;
import io.gpureclaimer.exporter.exposition.Hearing;
import io.gpureclaimer.exporter.exposition.Shown;
import io.gpureclaimer.exporter.http.status.Html.Cell;
import io.gpureclaimer.exporter.sample.DriverState.Down;
import io.gpureclaimer.exporter.sample.DriverState.Up;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Where the numbers and the names come from, and how those sources are. */
final class SourceRows {
  private SourceRows() {}

  static List<List<Cell>> of(
      Shown shown, Standing counters, Optional<String> whyNoLedger, Hearing hearing) {
    var rows = new ArrayList<List<Cell>>();
    rows.add(
        row(
            "sampling pass",
            shown.stale() ? Cell.bad("stale") : Cell.good("fresh"),
            "began "
                + Ages.of(shown.age())
                + " ago and took "
                + shown.snapshot().report().took().toMillis()
                + " ms"));
    rows.add(
        switch (shown.snapshot().driver()) {
          case Up up -> row("driver", Cell.good("up"), up.version().orElse("of unknown version"));
          case Down(var reason) -> row("driver", Cell.bad("down"), reason);
        });
    rows.addAll(RefusedRows.of(shown.snapshot(), hearing));
    rows.add(counters(shown, counters));
    whyNoLedger.ifPresent(why -> rows.add(row("ledger", Cell.bad("not kept"), why)));
    switch (shown.source()) {
      case NotConfigured() ->
          rows.add(row("holders", Cell.plain("not asked"), "see --kubernetes and --pods-file"));
      case OfFile(boolean understood) ->
          rows.add(
              row(
                  "pods file",
                  understood ? Cell.good("read") : Cell.bad("not understood"),
                  understood ? "" : "what it last said stands"));
      case OfKubelet kubelet -> addKubelet(kubelet, rows);
    }
    return rows;
  }

  private static List<Cell> counters(Shown shown, Standing counters) {
    var age = Duration.between(counters.inForceSince(), shown.snapshot().at());
    String since = counters.name() + ", in force for " + Ages.of(age);
    return counters
        .refusal()
        .map(why -> row("counters", Cell.bad("refused"), since + "; the newest " + why))
        .orElseGet(() -> row("counters", Cell.good("in force"), since));
  }

  private static void addKubelet(OfKubelet kubelet, List<List<Cell>> into) {
    into.add(
        switch (kubelet.contact()) {
          case Contact.Answering() -> row("kubelet", Cell.good("answering"), unmapped(kubelet));
          case Contact.Silent(var reason) -> row("kubelet", Cell.bad("silent"), reason);
          case Contact.NeverHeard(var reason) -> row("kubelet", Cell.bad("never heard"), reason);
        });
    addWatch("API server, pods", kubelet.pods(), "watching", into);
    addWatch("API server, resource slices", kubelet.devices(), "watching", into);
    addWatch("API server, resource claims", kubelet.claims(), "answering", into);
  }

  private static void addWatch(String name, Watch watch, String whole, List<List<Cell>> into) {
    switch (watch) {
      case Watch.NotAsked() -> {}
      case Watch.Whole() -> into.add(row(name, Cell.good(whole), ""));
      case Watch.Broken(var reason) -> into.add(row(name, Cell.bad("broken"), reason));
    }
  }

  private static String unmapped(OfKubelet kubelet) {
    int devices = kubelet.unmapped().orElse(0);
    return devices == 0
        ? ""
        : devices
            + " devices are held whose id names no device of this node, or by claims that are not"
            + " known";
  }

  static List<Cell> row(String source, Cell state, String detail) {
    return List.of(Cell.plain(source), state, Cell.plain(detail));
  }
}
