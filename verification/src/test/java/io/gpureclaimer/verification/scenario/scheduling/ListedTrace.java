package io.gpureclaimer.verification.scenario.scheduling;

import io.gpureclaimer.reclaimer.cluster.simulated.ComputeResources;
import io.gpureclaimer.reclaimer.simulate.ActivityPeriods;
import io.gpureclaimer.reclaimer.simulate.TraceFiles;
import io.gpureclaimer.reclaimer.simulate.TraceProblems;
import io.gpureclaimer.reclaimer.simulate.WorkloadKind;
import io.gpureclaimer.reclaimer.simulate.WorkloadTrace;
import io.gpureclaimer.reclaimer.simulate.WorkloadTrace.TracedNode;
import io.gpureclaimer.reclaimer.simulate.WorkloadTrace.TracedWorkload;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;

/** The openb lists that properties name, or a small trace like them. */
final class ListedTrace {
  private static final String NODES = System.getProperty("openb.nodes", "");
  private static final String PODS = System.getProperty("openb.pods", "");
  private static final long SEED = 34;
  private static final int PODS_PER_NODE = 6;
  private static final int SECONDS_BETWEEN_ARRIVALS = 60;

  private ListedTrace() {}

  /**
   * The lists, or the generated trace.
   *
   * @param nodes of the generated trace; so many pods have room on as many that the last ones are
   *     pending for different reasons
   */
  static WorkloadTrace read(int nodes) {
    return NODES.isEmpty() ? generated(nodes) : openb(Path.of(NODES), Path.of(PODS));
  }

  private static WorkloadTrace openb(Path nodes, Path pods) {
    var problems = new TraceProblems();
    WorkloadTrace trace =
        TraceFiles.openb(
                nodes,
                pods,
                Optional.empty(),
                Optional.of(Duration.ZERO),
                WorkloadTrace.LONGEST,
                problems)
            .withoutActivity();
    if (problems.count() > 0) {
      throw new IllegalStateException("rows that cannot be used: " + problems.lines());
    }
    return trace;
  }

  private static WorkloadTrace generated(int size) {
    var random = new Random(SEED);
    List<TracedNode> nodes =
        IntStream.range(0, size).mapToObj(node -> node(node, random.nextInt(10))).toList();
    List<TracedWorkload> workloads =
        IntStream.range(0, size * PODS_PER_NODE).mapToObj(pod -> workload(pod, random)).toList();
    return new WorkloadTrace("generated", WorkloadTrace.LONGEST, nodes, workloads, List.of());
  }

  private static TracedNode node(int number, int shape) {
    String name = String.format(Locale.ROOT, "openb-node-%04d", number);
    return switch (shape) {
      case 0, 1, 2, 3 -> node(name, "G2", 8, 96_000, 393_216);
      case 4, 5, 6 -> node(name, "T4", 2, 104_000, 524_288);
      case 7 -> node(name, "P100", 2, 16_000, 122_880);
      case 8 -> node(name, "V100M16", 4, 32_000, 131_072);
      default -> node(name, "G3", 8, 128_000, 786_432);
    };
  }

  private static TracedNode node(String name, String model, int gpus, long cpu, long memory) {
    return new TracedNode(name, model, gpus, Optional.of(ComputeResources.ofMib(cpu, memory)));
  }

  private static TracedWorkload workload(int number, Random random) {
    int gpus = random.nextInt(12) == 0 ? 1 << (1 + random.nextInt(3)) : 1;
    int cores = gpus * (1 + random.nextInt(16));
    return new TracedWorkload(
        "ls",
        String.format(Locale.ROOT, "openb-pod-%05d", number),
        WorkloadKind.SERVICE,
        number * SECONDS_BETWEEN_ARRIVALS,
        86_400,
        List.of(gpus),
        gpus,
        random.nextInt(20) == 0 ? Set.of("G2", "G3") : Set.of(),
        0,
        1_800,
        ActivityPeriods.NONE,
        ActivityPeriods.NONE,
        random.nextInt(10) == 0
            ? ComputeResources.NONE
            : ComputeResources.ofMib(1_000L * cores, 1_024L * cores * (1 + random.nextInt(6))));
  }
}
