package io.gpureclaimer.deviceplugin.labels;

import io.gpureclaimer.deviceplugin.publication.PublicationSink;
import io.gpureclaimer.deviceplugin.publication.Published;
import java.util.ArrayList;
import java.util.List;

/** Sink that writes nothing, records the labels, and returns the given results. */
public final class FakeLabelSink implements PublicationSink<NodeLabels> {
  private final List<NodeLabels> asked = new ArrayList<>();
  private Published answer = new Published.Written(List.of());

  /** All that was wanted, in that order. */
  public List<NodeLabels> asked() {
    return asked;
  }

  /** What it says from now on. */
  public void answer(Published next) {
    answer = next;
  }

  @Override
  public String target() {
    return "the test";
  }

  @Override
  public Published publish(NodeLabels labels) {
    asked.add(labels);
    return answer;
  }
}
