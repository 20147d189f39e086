package io.gpureclaimer.reclaimer.cluster.kubernetes;

import static io.gpureclaimer.reclaimer.policy.PodDraft.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.reclaimer.cluster.Accelerators;
import io.gpureclaimer.reclaimer.cluster.Accelerators.Claimed;
import io.gpureclaimer.reclaimer.cluster.Owner;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.cluster.kubernetes.parser.KnownShare.Admission;
import io.gpureclaimer.reclaimer.cluster.kubernetes.parser.KnownShare.Admission.PodSetUse;
import io.gpureclaimer.reclaimer.policy.PodDraft;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Under which names Kueue counts claimed devices. */
class MappedClassesTest {
  private static final String GPU = "deviceclass.resource.kubernetes.io/gpu.nvidia.com";
  private static final String MIG = "deviceclass.resource.kubernetes.io/mig.nvidia.com";
  private static final Map<String, Set<String>> FOUND = Map.of("whole-gpus", Set.of(GPU));

  @Test
  void findsTheNameOfAClass_byTheAnnotationOfThePod() {
    assertThat(mapped(claiming("a").with(Map.of("kueue.x-k8s.io/workload", "job-train")).draw()))
        .isEqualTo(FOUND);
  }

  @Test
  void findsTheNameOfAClass_byTheOwner_orIfThePodIsTheOwner() {
    assertThat(mapped(claiming("a").owner(new Owner("batch/v1", "Job", "train", "owner")).draw()))
        .isEqualTo(FOUND);
    assertThat(mapped(claiming("a").uid("owner").draw())).isEqualTo(FOUND);
  }

  @Test
  void findsNothing_forOtherPods() {
    assertThat(mapped(claiming("a").draw())).isEmpty();
    assertThat(
            mapped(
                claiming("a")
                    .namespace("web")
                    .with(Map.of("kueue.x-k8s.io/workload", "job-train"))
                    .draw()))
        .isEmpty();
  }

  /** The configuration may have one name for several classes. */
  @Test
  void findsEachClassOfAName_withAnySelectors() {
    PodView selecting = claiming(Map.of(GPU + " [device.attributes.x]", 2));
    PodView partition = claiming(Map.of(MIG, 2));

    assertThat(MappedClasses.of(List.of(selecting, partition), List.of(admitted(use(1, 2)))))
        .isEqualTo(Map.of("whole-gpus", Set.of(GPU, MIG)));
  }

  @ParameterizedTest(name = "{0} devices of {1} pods, and of {3} of {2} others: {4}")
  @CsvSource({
    "2, 1, 4, 2, true", // As many for each pod.
    "3, 1, 4, 2, false", // Not a multiple: a transformation of other resources.
    "2, 1, 2, 2, false" // Other pods of the Workload claim less.
  })
  void findsNothing_unlessEachPodCountsWithSoManyDevices(
      int devices, int pods, int otherDevices, int others, boolean found) {
    Admission admission = admitted(use(pods, devices), use(others, otherDevices));

    assertThat(MappedClasses.of(List.of(claiming("a").uid("owner").draw()), List.of(admission)))
        .isEqualTo(found ? FOUND : Map.of());
  }

  @Test
  void findsNothing_ifItIsNotClearWhichNameCounts() {
    var two = new PodSetUse(1, Map.of("whole-gpus", 2, "example.com/credits", 2));
    PodView pod = claiming("a").uid("owner").draw();
    PodView mixed = claiming(Map.of(GPU, 1, MIG, 1));

    assertThat(MappedClasses.of(List.of(pod), List.of(admitted(two)))).isEmpty();
    assertThat(MappedClasses.of(List.of(mixed), List.of(admitted(use(1, 1))))).isEmpty();
    assertThat(MappedClasses.of(List.of(pod), List.of(admitted()))).isEmpty();
  }

  /** Those that the scheduler gave by a claim are counted by the name that the pod requests. */
  @Test
  void findsNothing_forGpusThatAreRequestedByName() {
    assertThat(mapped(pod("a").gpus(2).byClaim().uid("owner").draw())).isEmpty();
  }

  private static Map<String, Set<String>> mapped(PodView pod) {
    return MappedClasses.of(List.of(pod), List.of(admitted(use(1, 2))));
  }

  private static Admission admitted(PodSetUse... uses) {
    return new Admission("ml", "job-train", Set.of("owner"), List.of(uses));
  }

  private static PodSetUse use(int pods, int devices) {
    return new PodSetUse(pods, Map.of("whole-gpus", devices));
  }

  private static PodView claiming(Map<String, Integer> requested) {
    var held = new Accelerators(0, Map.of(), new Claimed.Devices(2), requested, false);
    return pod("a").uid("owner").draw().onNode(held, Optional.empty());
  }

  private static PodDraft claiming(String name) {
    return pod(name).claims("gpu.nvidia.com", 2);
  }
}
