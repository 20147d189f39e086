package io.gpureclaimer.exporter.faults;

import io.gpureclaimer.exporter.faults.ActualNode.ActualGpu;
import io.gpureclaimer.exporter.faults.ActualNode.CountersCondition;
import io.gpureclaimer.exporter.faults.ActualNode.DriverCondition;
import io.gpureclaimer.exporter.faults.ActualNode.GpuCondition;
import io.gpureclaimer.exporter.faults.ActualNode.Kubelet;
import io.gpureclaimer.exporter.faults.ActualNode.MigDivision;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.UnaryOperator;

/** What happens on a node: every kind of event about as often as any other, in any order. */
final class FaultSequence {
  /** XIDs of applications, which leave a GPU healthy. */
  private static final List<Integer> HARMLESS = List.of(13, 31, 43, 45, 68);

  private final FaultyNodeSimulation node;
  private final TestAgent agent;
  private final Random random;
  private final List<Runnable> deck = new ArrayList<>();
  private final List<String> reported = new ArrayList<>();
  private int milliwatts = 1_000;
  private int pods;

  FaultSequence(FaultyNodeSimulation node, TestAgent agent, Random random) {
    this.node = node;
    this.agent = agent;
    this.random = random;
  }

  /** So far, a line for each event. */
  String soFar() {
    return String.join("\n", reported);
  }

  /** Lets one thing happen; a node is seldom without a driver for long. */
  void goOn() {
    if (node.now().driver() != DriverCondition.LOADED && random.nextBoolean()) {
      load();
      return;
    }
    if (deck.isEmpty()) {
      deck.addAll(events());
      Collections.shuffle(deck, random);
    }
    deck.removeLast().run();
  }

  /** Until the next one: mostly too short to notice all, sometimes long enough for everything. */
  Duration pause() {
    return switch (random.nextInt(8)) {
      case 0 -> Duration.ofSeconds(12);
      case 1 -> Duration.ofSeconds(3);
      default -> Duration.ofMillis(50 + random.nextInt(750));
    };
  }

  private List<Runnable> events() {
    var events = new ArrayList<Runnable>();
    for (int i = 0; i < 3; i++) {
      events.add(() -> turn(card -> card.working(++milliwatts, 100)));
      events.add(() -> turn(card -> card.working(++milliwatts, 0)));
      events.add(() -> turn(card -> card.heldBy(another())));
      events.add(this::reportAnXid);
    }
    events.add(() -> turn(card -> card.heldBy(Set.of())));
    for (var fault : GpuCondition.values()) {
      events.add(() -> become(node.now(), victim(), fault));
    }
    for (var division : MigDivision.values()) {
      events.add(() -> divide(division));
    }
    for (var kubelet : Kubelet.values()) {
      events.add(() -> become(node.now().with(kubelet)));
    }
    for (var counters : CountersCondition.values()) {
      events.add(() -> become(node.now().with(counters)));
    }
    events.add(this::unload);
    events.add(this::load);
    events.add(this::restart);
    events.add(this::recover);
    events.add(this::recover);
    return events;
  }

  /** The scheduler has waited for the parts. */
  private void divide(MigDivision division) {
    var next = node.now().with(division);
    for (int part : division.parts().toArray()) {
      var card = next.cards().get(part).working(++milliwatts, random.nextBoolean() ? 100 : 0);
      next = next.with(part, card.heldBy(random.nextInt(3) == 0 ? Set.of() : another()));
    }
    become(next);
  }

  private void turn(UnaryOperator<ActualGpu> how) {
    var devices = node.now().devices();
    int device = devices.get(random.nextInt(devices.size()));
    become(node.now().with(device, how.apply(node.now().cards().get(device))));
  }

  /** Mostly an allocated GPU: that is where a fault can do harm. */
  private int victim() {
    int gpu = random.nextInt(ActualNode.GPUS);
    for (int i = 0; i < 3 && node.now().cards().get(gpu).pods().isEmpty(); i++) {
      gpu = random.nextInt(ActualNode.GPUS);
    }
    return gpu;
  }

  private Set<String> another() {
    var some = new HashSet<String>();
    some.add(random.nextInt(3) == 0 ? "train-" + pods : "train-" + ++pods);
    if (random.nextInt(4) == 0) {
      some.add("train-" + ++pods);
    }
    return some;
  }

  private void reportAnXid() {
    int gpu = random.nextInt(ActualNode.GPUS);
    report("XID of " + gpu);
    node.report(gpu, HARMLESS.get(random.nextInt(HARMLESS.size())));
  }

  /** No driver can be unloaded that a call is still inside of. */
  private void unload() {
    if (!node.now().hangs()) {
      become(node.now().with(DriverCondition.UNLOADED));
    }
  }

  private void load() {
    become(node.now().with(DriverCondition.LOADED));
  }

  /** With what an agent can start with: a file that it understands, and no call that hangs. */
  private void restart() {
    var next = node.now().with(CountersCondition.WITH_POWER).with(DriverCondition.LOADED);
    for (int gpu = 0; gpu < ActualNode.GPUS; gpu++) {
      var card = next.cards().get(gpu);
      if (card.fault() == GpuCondition.HANGS) {
        next = next.with(gpu, card.with(GpuCondition.NONE));
      }
    }
    become(next);
    report("restart");
    node.become(
        next.with(DriverCondition.UNWATCHED),
        () -> {
          agent.close();
          node.begin();
          agent.start();
        });
    become(next);
  }

  private void recover() {
    var next = node.now().with(Kubelet.ANSWERS).with(CountersCondition.WITH_POWER);
    for (int gpu = 0; gpu < ActualNode.GPUS; gpu++) {
      next = next.with(gpu, next.cards().get(gpu).with(GpuCondition.NONE));
    }
    become(next);
    load();
  }

  private void become(ActualNode world, int gpu, GpuCondition fault) {
    become(world.with(gpu, world.cards().get(gpu).with(fault)));
  }

  private void become(ActualNode next) {
    become(next, () -> {});
  }

  private void become(ActualNode next, Runnable otherwise) {
    report(next.toString());
    node.become(next, otherwise);
  }

  private void report(String what) {
    reported.add(Instant.now() + " " + what);
  }
}
