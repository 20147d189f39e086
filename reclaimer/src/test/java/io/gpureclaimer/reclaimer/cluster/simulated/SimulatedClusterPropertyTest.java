package io.gpureclaimer.reclaimer.cluster.simulated;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.cluster.simulated.PodSpec.OwnerSpec;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedCluster.GpuHolder;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedCluster.NodeSpec;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What holds whatever happens, and in whatever order. */
class SimulatedClusterPropertyTest {
  private static final int STEPS = 400;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void noGpuIsHeldTwice_andEveryPodHoldsWhatItRequests(long seed) {
    var life = new RandomClusterEvents(seed);
    for (int step = 0; step < STEPS; step++) {
      life.step();

      List<GpuHolder> holders = life.cluster.holders();
      assertThat(holders).extracting(GpuHolder::device).doesNotHaveDuplicates();
      assertThat(heldByPod(holders)).isEqualTo(requestedByPod(life.cluster.view()));
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void theSameCallsGiveTheSameCluster(long seed) {
    var one = new RandomClusterEvents(seed);
    var two = new RandomClusterEvents(seed);
    for (int step = 0; step < STEPS; step++) {
      one.step();
      two.step();
    }

    assertThat(one.cluster.view()).isEqualTo(two.cluster.view());
    assertThat(one.cluster.holders()).isEqualTo(two.cluster.holders());
  }

  private static Map<String, Integer> heldByPod(List<GpuHolder> holders) {
    return holders.stream()
        .collect(Collectors.toMap(holder -> holder.pod().uid(), _ -> 1, Integer::sum));
  }

  private static Map<String, Integer> requestedByPod(ClusterView view) {
    return view.pods().stream()
        .filter(PodView::holdsGpus)
        .collect(Collectors.toMap(pod -> pod.ref().uid(), PodView::gpus));
  }

  /** A cluster in which anything may happen at any time. */
  private static final class RandomClusterEvents {
    private final FakeClock clock = new FakeClock();
    private final SimulatedCluster cluster = new SimulatedCluster(clock);
    private final Random random;
    private int created;

    RandomClusterEvents(long seed) {
      random = new Random(seed);
      cluster.addNamespace("ml", Map.of());
      for (int node = 0; node < 5; node++) {
        String name = "node-" + node;
        cluster.addNode(
            NodeSpec.of(
                name,
                IntStream.range(0, 8)
                    .mapToObj(gpu -> new GpuUuid("GPU-" + name + "-" + gpu))
                    .toList()));
      }
    }

    void step() {
      switch (random.nextInt(6)) {
        case 0, 1 -> submit();
        case 2 -> withAny(pod -> cluster.evict(pod, random.nextBoolean()));
        case 3 ->
            withAny(
                pod -> {
                  cluster.delete(pod.ref());
                  return pod;
                });
        case 4 -> cluster.accept("node-" + random.nextInt(5), random.nextInt(4) > 0);
        default -> clock.advance(Duration.ofSeconds(random.nextInt(60)));
      }
      cluster.tick();
    }

    private void submit() {
      PodSpec pod =
          PodSpec.bare("ml", "pod-" + created++, 1 + random.nextInt(4))
              .withPriority(random.nextInt(3));
      cluster.submit(
          switch (random.nextInt(3)) {
            case 0 -> pod;
            case 1 -> pod.ownedBy(OwnerSpec.OwnerType.REPLICA_SET, pod.name());
            default -> pod.ownedBy(OwnerSpec.OwnerType.STATEFUL_SET, pod.name());
          });
    }

    private void withAny(Function<PodView, Object> action) {
      List<PodView> pods = cluster.view().pods();
      if (!pods.isEmpty()) {
        var _ = action.apply(pods.get(random.nextInt(pods.size())));
      }
    }
  }
}
