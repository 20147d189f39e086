package io.gpureclaimer.deviceplugin.allocation.preference;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.nvml.poll.Topology;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** How long the kubelet waits for a preference. */
@State(Scope.Thread)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class PreferenceBenchmark {
  private static final int GPUS = 16;

  /** Of 16 GPUs; {@code shares} and {@code parts} ask for 8 of 10 000 and of 112. */
  @Param({
    "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15", "16", "wired",
    "shares", "parts"
  })
  public String asked = "8";

  private PreferredAllocation preference = MachineTopology.nvswitch(GPUS).preference();
  private Set<String> free = Set.of();
  private int size = GPUS / 2;

  /** All are free, so that there are as many choices as there can be. */
  @Setup
  public void prepare() {
    List<Candidate> offered =
        switch (asked) {
          case "wired" -> MachineTopology.random(GPUS, new Random(1)).candidates();
          case "shares" -> several(8, 1250, true);
          case "parts" -> several(GPUS, 7, false);
          default -> MachineTopology.nvswitch(GPUS).candidates();
        };
    Topology topology =
        asked.equals("wired")
            ? MachineTopology.random(GPUS, new Random(1)).topology()
            : MachineTopology.nvswitch(GPUS).topology();
    size = asked.matches("[0-9]+") ? Integer.parseInt(asked) : GPUS / 2;
    preference = PreferredAllocation.of(offered, topology, SharePolicy.DISTRIBUTED);
    free = new HashSet<>(offered.stream().map(Candidate::id).toList());
  }

  private static List<Candidate> several(int gpus, int each, boolean shared) {
    var several = new ArrayList<Candidate>();
    for (int i = 0; i < gpus * each; i++) {
      GpuUuid gpu = MachineTopology.gpu(i / each);
      String id = gpu + "::" + i % each;
      several.add(new Candidate(id, shared ? gpu.value() : id, gpu, null, shared));
    }
    return several;
  }

  /** One question. */
  @Benchmark
  public List<String> choose() {
    return preference.choose(free, Set.of(), size);
  }
}
