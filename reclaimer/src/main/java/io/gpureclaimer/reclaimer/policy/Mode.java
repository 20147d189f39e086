package io.gpureclaimer.reclaimer.policy;

import java.util.Arrays;
import java.util.Optional;

/** How far the reclaimer may go with an idle workload. */
public enum Mode {
  /** Not even mentioned. */
  OFF("off", 0),
  /** Listed and counted, never written to. */
  REPORT("report", 1),
  /** Warned, never acted on. */
  NOTIFY("notify", 2),
  /** Reclaimed when that lets a pending pod run. */
  ON_DEMAND("on-demand", 3),
  /** Reclaimed as soon as it is due. */
  ALWAYS("always", 4);

  private final String text;
  private final int reach;

  Mode(String text, int reach) {
    this.text = text;
    this.reach = reach;
  }

  /** As it is written in annotations. */
  public String text() {
    return text;
  }

  /** The mode that is written so, exactly. */
  public static Optional<Mode> of(String text) {
    return Arrays.stream(values()).filter(mode -> mode.text.equals(text)).findFirst();
  }

  /** Whether this mode goes further than the other. */
  public boolean exceeds(Mode other) {
    return reach > other.reach;
  }

  /** This mode, or the ceiling where this one goes further. */
  public Mode atMost(Mode ceiling) {
    return exceeds(ceiling) ? ceiling : this;
  }

  /** Whether a workload may be reclaimed under this mode. */
  public boolean acts() {
    return exceeds(NOTIFY);
  }
}
