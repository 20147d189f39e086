package io.gpureclaimer.verification.demo;

import io.gpureclaimer.verification.demo.FrameRenderer.Frame.DemoEvent;
import io.gpureclaimer.verification.demo.FrameRenderer.Frame.DemoWorkloadRow;
import io.gpureclaimer.verification.demo.FrameRenderer.Frame.GpuRow;
import io.gpureclaimer.verification.demo.FrameRenderer.Frame.LineTone;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;

/** Turns a frame into lines of text. */
final class FrameRenderer {
  private static final int BAR = 20;
  private static final String RESET = "\u001b[0m";

  private final boolean live;
  private final int width;

  /**
   * @param live whether it is for a terminal: colored, and no row longer than a line of it
   * @param width of a line
   */
  FrameRenderer(boolean live, int width) {
    this.live = live;
    this.width = width;
  }

  /** The whole picture; of the events only the newest {@code lastEvents}. */
  List<String> render(Frame frame, int lastEvents) {
    var lines = new ArrayList<String>();
    lines.add(bold("gpu-reclaimer demo") + dim("   " + clock(frame.elapsed())));
    lines.add("");
    lines.add(dim(cut("  GPU  UTILIZATION                 POD")));
    String node = "";
    for (GpuRow gpu : frame.gpus()) {
      if (!gpu.node().equals(node)) {
        node = gpu.node();
        lines.add(bold(node) + dim("  " + gpu.model()));
      }
      lines.add(gpuLine(gpu));
    }
    lines.add("");
    lines.add(
        dim(
            cut(
                String.format(
                    Locale.ROOT, "%-26s %4s  %-11s %s", "WORKLOAD", "GPUS", "VERDICT", "REASON"))));
    frame.workloads().forEach(workload -> lines.add(workloadLine(workload)));
    if (lastEvents > 0) {
      lines.add("");
      lines.add(dim("EVENTS"));
    }
    List<DemoEvent> all = frame.events();
    all.subList(Math.max(0, all.size() - lastEvents), all.size())
        .forEach(event -> lines.addAll(eventLines(event)));
    return lines;
  }

  /** One event, on as many lines as its words need. */
  List<String> eventLines(DemoEvent event) {
    String start = clock(event.at()) + "  ";
    String indent = " ".repeat(start.length());
    var lines = new ArrayList<String>();
    for (String line : wrapped(event.what(), width - start.length())) {
      lines.add(dim(lines.isEmpty() ? start : indent) + color(line, event.tone()));
    }
    return lines;
  }

  private static List<String> wrapped(String text, int limit) {
    var lines = new ArrayList<String>();
    var line = new StringBuilder();
    for (String word : text.split(" ", -1)) {
      if (!line.isEmpty() && line.length() + 1 + word.length() > limit) {
        lines.add(line.toString());
        line.setLength(0);
      }
      line.append(line.isEmpty() ? "" : " ").append(word);
    }
    lines.add(line.toString());
    return lines;
  }

  private String gpuLine(GpuRow gpu) {
    String bar;
    String percent;
    if (gpu.utilizationPercent().isPresent()) {
      int value = gpu.utilizationPercent().getAsInt();
      int full = Math.round(value * BAR / 100f);
      bar = color("█".repeat(full), LineTone.GOOD) + dim("░".repeat(BAR - full));
      percent = String.format(Locale.ROOT, "%3d %%", value);
    } else {
      bar = dim("?".repeat(BAR));
      percent = "  ? %";
    }
    String index = String.format(Locale.ROOT, "%5d  ", gpu.index());
    return index + bar + " " + percent + "  " + gpu.holder().orElse(dim("free"));
  }

  private String workloadLine(DemoWorkloadRow row) {
    String start = String.format(Locale.ROOT, "%-26s %4s  ", row.name(), row.gpus());
    String verdict = String.format(Locale.ROOT, "%-11s ", row.verdict());
    return start
        + color(verdict, row.tone())
        + cut(row.reason(), width - start.length() - verdict.length());
  }

  static String clock(Duration elapsed) {
    return String.format(Locale.ROOT, "%02d:%02d", elapsed.toMinutes(), elapsed.toSecondsPart());
  }

  private String cut(String text) {
    return cut(text, width);
  }

  private String cut(String text, int limit) {
    return !live || text.length() <= limit ? text : text.substring(0, Math.max(0, limit - 1)) + "…";
  }

  private String color(String text, LineTone tone) {
    return switch (tone) {
      case CALM -> text;
      case GOOD -> render("\u001b[32m", text);
      case NOTABLE -> render("\u001b[33m", text);
      case GRAVE -> render("\u001b[31m", text);
    };
  }

  private String bold(String text) {
    return render("\u001b[1m", text);
  }

  private String dim(String text) {
    return render("\u001b[2m", text);
  }

  private String render(String code, String text) {
    return live ? code + text + RESET : text;
  }

  /**
   * What the demo shows at one moment.
   *
   * @param elapsed since the curtain rose
   * @param gpus every GPU of every node, as the exporters report it
   * @param workloads what the reclaimer thinks of every workload
   * @param events what happened so far, oldest first
   */
  record Frame(
      Duration elapsed,
      List<GpuRow> gpus,
      List<DemoWorkloadRow> workloads,
      List<DemoEvent> events) {
    Frame {
      gpus = List.copyOf(gpus);
      workloads = List.copyOf(workloads);
      events = List.copyOf(events);
    }

    /** How good or bad a line is, which decides its color. */
    enum LineTone {
      CALM,
      GOOD,
      NOTABLE,
      GRAVE
    }

    /**
     * One GPU.
     *
     * @param utilizationPercent absent when the exporter does not say
     * @param holder namespace and name of the pod that holds it
     */
    record GpuRow(
        String node,
        int index,
        String model,
        OptionalInt utilizationPercent,
        Optional<String> holder) {}

    /** One workload with its verdict and the reason, in words. */
    record DemoWorkloadRow(
        String name, String gpus, String verdict, String reason, LineTone tone) {}

    /** Something that happened, in words. */
    record DemoEvent(Duration at, String what, LineTone tone) {}
  }
}
