package io.gpureclaimer.exporter.faults;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What was found out: what was wrong, and what there was to look at at all. */
final class CheckFindings {
  private final List<String> complaints = new ArrayList<>();
  private final Set<String> things = new HashSet<>();

  /** It has to be so. */
  void require(AgentOutput look, boolean so, String what) {
    if (!so) {
      complaints.add(
          look.answered() + " (stall " + look.stall().toMillis() + " ms): not so: " + what);
    }
  }

  /** Something was there. */
  void saw(String thing) {
    things.add(thing);
  }

  List<String> complaints() {
    return List.copyOf(complaints);
  }

  Set<String> things() {
    return Set.copyOf(things);
  }
}
