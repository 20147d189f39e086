package io.gpureclaimer.verification.demo;

import io.gpureclaimer.verification.demo.FrameRenderer.Frame;
import io.gpureclaimer.verification.demo.FrameRenderer.Frame.DemoEvent;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Shows frames: as a live picture on a terminal, as lines elsewhere. Confined to one thread. */
final class Screen {
  private static final String HOME = "\u001b[H";
  private static final String CLEAR = "\u001b[2J";
  private static final String END_OF_LINE = "\u001b[K";
  private static final String BELOW = "\u001b[J";
  private static final Duration BETWEEN_TABLES = Duration.ofSeconds(20);
  private static final int EVENTS_SHOWN = 4;

  private final PrintStream out;
  private final boolean live;
  private final FrameRenderer renderer;
  private final int height;
  private boolean started;
  private int eventsShown;
  private Duration nextTable = Duration.ZERO;

  private Screen(PrintStream out, boolean live, FrameRenderer renderer, int height) {
    this.out = out;
    this.live = live;
    this.renderer = renderer;
    this.height = height;
  }

  /** A live picture where there is a terminal to draw on, unless lines are asked for. */
  @SuppressWarnings("SystemConsoleNull") // it is null again without a terminal, from JDK 25
  static Screen on(PrintStream out, boolean plain) {
    var console = System.console();
    boolean live = !plain && console != null && console.isTerminal();
    return new Screen(
        out, live, new FrameRenderer(live, live ? size("COLUMNS", 120) : 160), size("LINES", 50));
  }

  private static int size(String variable, int otherwise) {
    try {
      return Math.max(20, Integer.parseInt(System.getenv().getOrDefault(variable, "")));
    } catch (NumberFormatException _) {
      return otherwise; // the shell does not say
    }
  }

  void show(Frame frame, List<String> addresses) {
    if (live) {
      draw(frame, addresses);
    } else {
      print(frame, addresses);
    }
    started = true;
  }

  private void draw(Frame frame, List<String> addresses) {
    var lines = new ArrayList<>(renderer.render(frame, EVENTS_SHOWN));
    lines.add("");
    lines.addAll(addresses);
    // A picture that is taller than the terminal would scroll instead of moving.
    if (lines.size() >= height) {
      lines.subList(height - 1, lines.size()).clear();
    }
    var picture = new StringBuilder(started ? HOME : CLEAR + HOME);
    lines.forEach(line -> picture.append(line).append(END_OF_LINE).append('\n'));
    out.print(picture.append(BELOW));
    out.flush();
  }

  private void print(Frame frame, List<String> addresses) {
    if (!started) {
      addresses.forEach(out::println);
      out.println();
    }
    List<DemoEvent> all = frame.events();
    all.subList(eventsShown, all.size())
        .forEach(event -> renderer.eventLines(event).forEach(out::println));
    eventsShown = all.size();
    if (frame.elapsed().compareTo(nextTable) >= 0 && !frame.workloads().isEmpty()) {
      nextTable = frame.elapsed().plus(BETWEEN_TABLES);
      out.println();
      renderer.render(frame, 0).forEach(out::println);
      out.println();
    }
  }

  /** The last words; gives the exit code. */
  int end(Frame frame, List<String> complaints) {
    if (!live) {
      print(frame, List.of());
    }
    out.println();
    if (complaints.isEmpty()) {
      out.println(
          "Two idle GPUs went to two pending jobs; the Deployment was restored when its job ended; no"
              + " busy pod was warned.");
      return 0;
    }
    out.println("This did not go as it should:");
    complaints.forEach(complaint -> out.println("  - " + complaint));
    return 1;
  }
}
