package io.gpureclaimer.reclaimer.page;

import io.gpureclaimer.reclaimer.audit.CycleReport;
import io.gpureclaimer.reclaimer.cluster.NodeView;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.page.GpuUse.GpuActivity;
import io.gpureclaimer.reclaimer.verdict.Judge.Judgment;
import io.gpureclaimer.reclaimer.verdict.Verdict;
import io.gpureclaimer.reclaimer.workload.Workload;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Models of GPUs, from the label of nodes that GPU feature discovery writes.
 *
 * @param byNode model by name of the node; a node without the label is absent
 */
public record GpuModels(Map<String, String> byNode) {

  public GpuModels {
    byNode = Map.copyOf(byNode);
  }

  /** GPUs of a model, and what they do. */
  public record ModelRow(String model, int gpus, GpuUse use) {}

  /** The models of the nodes of a report. */
  public static GpuModels of(CycleReport report) {
    return new GpuModels(
        report.cluster().nodes().stream()
            .filter(node -> node.labels().containsKey(NodeView.PRODUCT))
            .collect(
                Collectors.toMap(
                    NodeView::name, node -> node.labels().get(NodeView.PRODUCT), (one, _) -> one)));
  }

  /** The models that the pods of a workload hold, with commas in between; empty if unknown. */
  public String of(Workload workload) {
    return workload.pods().stream()
        .flatMap(pod -> of(pod).stream())
        .distinct()
        .sorted()
        .collect(Collectors.joining(", "));
  }

  /** The model of the node of a pod; empty if unknown. */
  Optional<String> of(PodView pod) {
    return pod.node().flatMap(node -> Optional.ofNullable(byNode.get(node)));
  }

  /** What the GPUs of each model do, those with most idle ones first. */
  public List<ModelRow> rows(CycleReport report) {
    Map<String, Integer> gpus = new TreeMap<>();
    Set<String> counted = new HashSet<>();
    report.cluster().nodes().stream()
        .filter(node -> node.gpus() > 0)
        .forEach(
            node -> {
              counted.add(node.name());
              Optional.ofNullable(byNode.get(node.name()))
                  .ifPresent(model -> gpus.merge(model, node.gpus(), Integer::sum));
            });
    Map<String, GpuUse> use = new TreeMap<>();
    report.judgments().stream()
        .map(Judgment::verdict)
        .forEach(verdict -> add(verdict, counted, use));
    var rows = new ArrayList<ModelRow>();
    gpus.forEach(
        (model, count) ->
            rows.add(new ModelRow(model, count, use.getOrDefault(model, GpuUse.NONE))));
    rows.sort(Comparator.comparingInt((ModelRow row) -> -row.use().idle()));
    return List.copyOf(rows);
  }

  /** Pods on nodes whose GPUs are counted. */
  private void add(Verdict verdict, Set<String> counted, Map<String, GpuUse> use) {
    GpuActivity activity = GpuUse.activity(verdict);
    verdict.workload().pods().stream()
        .filter(pod -> pod.holdsGpus() && pod.accelerators().replicas().isEmpty())
        .filter(pod -> pod.node().filter(counted::contains).isPresent())
        .forEach(
            pod ->
                of(pod)
                    .ifPresent(
                        model ->
                            use.merge(
                                model,
                                GpuUse.NONE.plus(pod.accelerators().devices(), activity),
                                GpuUse::plus)));
  }
}
