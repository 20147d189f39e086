package io.gpureclaimer.exporter.http.status;

import io.gpureclaimer.common.program.Readiness;
import io.gpureclaimer.common.program.Readiness.NotReady;
import io.gpureclaimer.common.program.Readiness.Ready;
import io.gpureclaimer.deviceplugin.health.XidLog;
import io.gpureclaimer.deviceplugin.runtime.PluginStatus;
import io.gpureclaimer.exporter.counters.CountersWatch.Standing;
import io.gpureclaimer.exporter.exposition.Hearing;
import io.gpureclaimer.exporter.exposition.Shown;
import io.gpureclaimer.exporter.http.status.Html.Cell;
import io.gpureclaimer.exporter.sample.GpuSample.Answered;
import java.util.List;
import java.util.Optional;

/** The page, section by section. Pure. */
final class StatusPage {
  private StatusPage() {}

  static String of(
      Readiness readiness,
      Optional<Shown> last,
      Standing counters,
      XidLog xids,
      Optional<String> whyNoLedger,
      Hearing hearing,
      Optional<PluginStatus> plugin) {
    var page = new Html();
    page.title("gpu-exporter" + last.map(it -> " on " + it.snapshot().hostname()).orElse(""))
        .paragraph(sentence(readiness) + last.map(StatusPage::silent).orElse(""));
    last.ifPresent(shown -> sampled(shown, counters, xids, whyNoLedger, hearing, page));
    plugin.ifPresent(seen -> PluginSections.write(seen, last, page));
    return page.end();
  }

  private static void sampled(
      Shown shown,
      Standing counters,
      XidLog xids,
      Optional<String> whyNoLedger,
      Hearing hearing,
      Html page) {
    page.heading("Sources")
        .table(
            List.of("source", "state", "detail"),
            SourceRows.of(shown, counters, whyNoLedger, hearing))
        .heading("Devices")
        .table(
            List.of(
                "device",
                "model",
                "state",
                "activity",
                "memory used",
                "temperature",
                "power",
                "last XID"),
            DeviceRows.of(shown.snapshot(), xids));
    holders(shown, page);
    notServed(shown, page);
  }

  private static void holders(Shown shown, Html page) {
    page.heading("Holders");
    var rows = HolderRows.of(shown);
    if (rows.isEmpty()) {
      page.paragraph("Nobody is known to hold a device.");
      return;
    }
    page.table(List.of("device", "pod", "container", "last active", "observed for"), rows);
  }

  private static void notServed(Shown shown, Html page) {
    page.heading("Rows of the counters file that are not served");
    List<List<Cell>> rows = UnservedRows.of(shown);
    if (rows.isEmpty()) {
      page.paragraph("None.");
      return;
    }
    page.table(List.of("row", "reason"), rows);
  }

  /** An agent is ready as long as one GPU answers; that others do not is what one came for. */
  private static String silent(Shown shown) {
    var gpus = shown.snapshot().gpus();
    long silent = gpus.stream().filter(sample -> !(sample instanceof Answered)).count();
    return silent == 0
        ? ""
        : " Of "
            + gpus.size()
            + " GPUs, "
            + silent
            + (silent == 1 ? " does" : " do")
            + " not answer.";
  }

  private static String sentence(Readiness readiness) {
    return switch (readiness) {
      case Ready() -> "Ready.";
      case NotReady(var reason) -> "Not ready: " + reason + ".";
    };
  }
}
