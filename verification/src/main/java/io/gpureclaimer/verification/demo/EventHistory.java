package io.gpureclaimer.verification.demo;

import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedCluster;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedCluster.StoredEvent;
import io.gpureclaimer.verification.demo.FrameRenderer.Frame.DemoEvent;
import io.gpureclaimer.verification.demo.FrameRenderer.Frame.LineTone;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Events in words for people, and whether they are the expected ones. */
final class EventHistory {
  private final SimulatedCluster cluster;
  private final List<DemoEvent> events = new ArrayList<>();
  private final Map<String, String> nodes = new HashMap<>();
  private int eventsNoted;

  EventHistory(SimulatedCluster cluster) {
    this.cluster = cluster;
  }

  /** Adds what is new. */
  void note(Duration elapsed) {
    List<StoredEvent> events = cluster.events();
    events.subList(eventsNoted, events.size()).forEach(event -> note(elapsed, event));
    eventsNoted = events.size();
    for (PodView pod : cluster.view().pods()) {
      String name = pod.ref().toString();
      String now = pod.node().orElse("waiting for " + pod.gpus() + " GPU");
      String before = nodes.put(name, now);
      if (!now.equals(before) && (name.equals(Scenario.NEWCOMER) || name.equals(Scenario.JOB))) {
        add(elapsed, pod.node().map(n -> name + " runs on " + n).orElse(name + " is " + now), pod);
      }
    }
  }

  private void add(Duration elapsed, String what, PodView pod) {
    events.add(
        new DemoEvent(elapsed, what, pod.node().isPresent() ? LineTone.GOOD : LineTone.NOTABLE));
  }

  /** An Event on an owner repeats that on its pod, but for those on a restoration. */
  private void note(Duration elapsed, StoredEvent event) {
    boolean ofPod = event.object().kind().equals("Pod");
    boolean ofOwner = event.object().kind().equals("Deployment");
    if (!ofPod && !(ofOwner && event.notice().reason().equals("GPURestored"))) {
      return;
    }
    LineTone tone =
        switch (event.notice().reason()) {
          case "GPUReclaimed" -> LineTone.GRAVE;
          case "GPUIdleWarned" -> LineTone.NOTABLE;
          default -> LineTone.GOOD;
        };
    events.add(
        new DemoEvent(
            elapsed,
            event.notice().reason()
                + " "
                + (ofPod ? event.pod().toString() : event.object().toString())
                + ": "
                + event.notice().message(),
            tone));
  }

  List<DemoEvent> events() {
    return List.copyOf(events);
  }

  /** What should have happened and did not, or the reverse; empty after a good performance. */
  List<String> complaints() {
    var complaints = new ArrayList<String>();
    expect(
        wasSent("GPUIdleWarned", Scenario.FORGOTTEN),
        "no warning for " + Scenario.FORGOTTEN,
        complaints);
    expect(
        wasSent("GPUReclaimed", Scenario.FORGOTTEN),
        Scenario.FORGOTTEN + " still holds its GPU",
        complaints);
    boolean runs =
        cluster.view().pods().stream()
            .anyMatch(p -> p.ref().toString().equals(Scenario.NEWCOMER) && p.node().isPresent());
    expect(runs, Scenario.NEWCOMER + " still waits", complaints);
    for (String busy : Scenario.ALWAYS_BUSY) {
      expect(!wasSent("GPUIdleWarned", busy), busy + " was warned while it worked", complaints);
    }
    long reclaimed =
        cluster.events().stream()
            .filter(e -> e.notice().reason().equals("GPUReclaimed"))
            .filter(e -> e.object().kind().equals("Pod"))
            .count();
    expect(reclaimed <= 2, reclaimed + " workloads were reclaimed for two jobs", complaints);
    expect(
        nodes.getOrDefault(Scenario.JOB, "").startsWith("gpu-"),
        Scenario.JOB + " never ran",
        complaints);
    expect(
        cluster
            .ownerField(Scenario.CHAT_NAMESPACE, Scenario.CHAT, "/spec/replicas")
            .equals(Optional.of("1")),
        "Deployment chat was not restored",
        complaints);
    expect(
        cluster.events().stream().anyMatch(e -> e.notice().reason().equals("GPURestored")),
        "Deployment chat was never scaled and restored",
        complaints);
    return complaints;
  }

  private boolean wasSent(String reason, String pod) {
    return cluster.events().stream()
        .anyMatch(
            event -> event.notice().reason().equals(reason) && event.pod().toString().equals(pod));
  }

  private static void expect(boolean holds, String complaint, List<String> complaints) {
    if (!holds) {
      complaints.add(complaint);
    }
  }
}
