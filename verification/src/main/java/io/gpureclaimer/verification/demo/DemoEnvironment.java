package io.gpureclaimer.verification.demo;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toMap;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.common.program.Service;
import io.gpureclaimer.reclaimer.audit.CycleReport;
import io.gpureclaimer.reclaimer.audit.CycleReport.LatestReport;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedCluster;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedCluster.GpuHolder;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedCluster.NodeSpec;
import io.gpureclaimer.reclaimer.verdict.Judge.Judgment;
import io.gpureclaimer.reclaimer.verdict.Verdict;
import io.gpureclaimer.reclaimer.verdict.VerdictCode;
import io.gpureclaimer.reclaimer.verdict.VerdictSentence;
import io.gpureclaimer.verification.demo.FrameRenderer.Frame;
import io.gpureclaimer.verification.demo.FrameRenderer.Frame.DemoWorkloadRow;
import io.gpureclaimer.verification.demo.FrameRenderer.Frame.GpuRow;
import io.gpureclaimer.verification.demo.FrameRenderer.Frame.LineTone;
import io.gpureclaimer.verification.demo.LoadSchedule.LoadPhase;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** Everything that the demo runs, moved on once a second. Confined to the main thread. */
final class DemoEnvironment {
  private final List<DemoNode> nodes;
  private final SimulatedCluster cluster;
  private final Scenario scenario;
  private final EventHistory history;
  private final Service.Running reclaimer;
  private final Clock clock;
  private final Map<GpuUuid, Instant> heldSince = new HashMap<>();
  private final Map<GpuUuid, String> holders = new HashMap<>();
  private final Instant beginning;

  DemoEnvironment(
      List<DemoNode> nodes, SimulatedCluster cluster, Service.Running reclaimer, Clock clock) {
    this.nodes = List.copyOf(nodes);
    this.cluster = cluster;
    this.scenario = new Scenario(cluster);
    this.history = new EventHistory(cluster);
    this.reclaimer = reclaimer;
    this.clock = clock;
    this.beginning = clock.instant();
  }

  /** Adds the nodes as the exporters report them, and every pod that is there at the beginning. */
  static void furnish(
      SimulatedCluster cluster, List<DemoNode> nodes, String bigNode, String smallNode)
      throws InterruptedException {
    for (DemoNode node : nodes) {
      List<GpuUuid> gpus = node.scrape().stream().map(DemoNode.ScrapedGpu::uuid).toList();
      Map<String, String> labels =
          node.name().equals(bigNode)
              ? Scenario.bigNode()
              : node.name().equals(smallNode) ? Scenario.smallNode() : Map.of();
      cluster.addNode(new NodeSpec(node.name(), gpus, labels, List.of()));
    }
  }

  void begin() {
    scenario.begin();
  }

  EventHistory history() {
    return history;
  }

  Duration elapsed() {
    return Duration.between(beginning, clock.instant());
  }

  /** One second of the world, and the picture of it. */
  Frame advance() throws IOException, InterruptedException {
    Duration elapsed = elapsed();
    scenario.advance(elapsed);
    cluster.tick();
    List<GpuHolder> held = cluster.holders();
    remember(held);
    var gpus = new ArrayList<GpuRow>();
    for (DemoNode node : nodes) {
      List<DemoNode.ScrapedGpu> scraped = node.scrape();
      node.play(pods(node, held), script(scraped));
      scraped.forEach(gpu -> gpus.add(row(node, gpu)));
    }
    history.note(elapsed);
    return new Frame(elapsed, gpus, workloads(), history.events());
  }

  private void remember(List<GpuHolder> held) {
    Map<GpuUuid, String> now =
        held.stream().collect(toMap(GpuHolder::device, holder -> holder.pod().toString()));
    now.forEach(
        (gpu, pod) -> {
          if (!pod.equals(holders.put(gpu, pod))) {
            heldSince.put(gpu, clock.instant());
          }
        });
    holders.keySet().retainAll(now.keySet());
  }

  private static String pods(DemoNode node, List<GpuHolder> held) {
    String entries =
        held.stream()
            .filter(holder -> holder.node().equals(node.name()))
            .map(
                holder ->
                    "- {device: "
                        + holder.device()
                        + ", namespace: "
                        + holder.pod().namespace()
                        + ", pod: "
                        + holder.pod().name()
                        + ", container: main, uid: "
                        + holder.pod().uid()
                        + "}")
            .collect(joining("\n"));
    return entries.isEmpty() ? "[]\n" : entries + "\n";
  }

  private String script(List<DemoNode.ScrapedGpu> gpus) {
    Map<GpuUuid, GpuHolder> held =
        cluster.holders().stream().collect(toMap(GpuHolder::device, holder -> holder));
    String entries =
        gpus.stream()
            .flatMap(
                gpu -> Optional.ofNullable(held.get(gpu.uuid())).map(h -> entry(gpu, h)).stream())
            .collect(joining("\n"));
    return entries.isEmpty() ? "[]\n" : entries + "\n";
  }

  private String entry(DemoNode.ScrapedGpu gpu, GpuHolder holder) {
    Instant now = clock.instant();
    LoadPhase load = scenario.loadOf(holder.pod());
    Duration age = Duration.between(heldSince.getOrDefault(gpu.uuid(), now), now);
    return "- {gpu: "
        + gpu.index()
        + ", utilization: "
        + load.percentAt(age)
        + ", memory-used-mib: "
        + load.memoryMib()
        + "}";
  }

  private static GpuRow row(DemoNode node, DemoNode.ScrapedGpu gpu) {
    return new GpuRow(
        node.name(),
        gpu.index(),
        gpu.model(),
        OptionalInt.of(gpu.utilizationPercent()),
        gpu.holder());
  }

  private List<DemoWorkloadRow> workloads() {
    Optional<CycleReport> report = reclaimer.part(LatestReport.class).get();
    return report.stream()
        .flatMap(known -> known.judgments().stream())
        .map(DemoEnvironment::row)
        .toList();
  }

  private static DemoWorkloadRow row(Judgment judgment) {
    Verdict verdict = judgment.verdict();
    return new DemoWorkloadRow(
        verdict.workload().namespace() + "/" + verdict.workload().name(),
        verdict.workload().devicesText(),
        VerdictCode.of(verdict).verdict().toUpperCase(Locale.ROOT),
        VerdictSentence.of(verdict),
        tone(verdict));
  }

  private static LineTone tone(Verdict verdict) {
    return switch (verdict) {
      case Verdict.Active _, Verdict.Vetoed _ -> LineTone.GOOD;
      case Verdict.ToWarn _, Verdict.Warned _, Verdict.Notified _ -> LineTone.NOTABLE;
      case Verdict.Due _ -> LineTone.GRAVE;
      case Verdict.Protected _,
          Verdict.NotRunning _,
          Verdict.Starting _,
          Verdict.Unknown _,
          Verdict.Watching _,
          Verdict.Reported _,
          Verdict.ToWithdraw _ ->
          LineTone.CALM;
    };
  }
}
