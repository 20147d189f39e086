package io.gpureclaimer.reclaimer.policy;

import static io.gpureclaimer.reclaimer.policy.PodDraft.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.reclaimer.cluster.Owner;
import io.gpureclaimer.reclaimer.cluster.PodTraits;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.policy.EffectivePolicy.Setting;
import io.gpureclaimer.reclaimer.policy.EffectivePolicy.Setting.Origin;
import io.gpureclaimer.reclaimer.workload.OwnerChain;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Class of a pod without an annotation. */
class ClassRuleTest {
  @ParameterizedTest(name = "label {0}={1}: {2}")
  @CsvSource({
    "component, singleuser-server, interactive",
    "component, proxy, other",
    "serving.kserve.io/inferenceservice, llama, serving",
    "ray.io/cluster, r, elastic",
    "batch.kubernetes.io/job-name, j, batch"
  })
  void isOfTheClassThatItsLabelsSay(String key, String value, String workloadClass) {
    PodView pod =
        pod("a")
            .traits(new PodTraits(Map.of(key, value), false, List.of(), Optional.empty()))
            .draw();

    assertThat(ClassRule.of(pod, OwnerChain.of(pod, Map.of())).value().text())
        .isEqualTo(workloadClass);
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({
    "Notebook, interactive",
    "InferenceService, serving",
    "PyTorchJob, batch",
    "RayCluster, elastic",
    "Spaceship, other"
  })
  void isOfTheClassThatItsOwnerSays(String kind, String workloadClass) {
    PodView pod = pod("a").owner(kind, "x").draw();
    var known = new OwnerChain(List.of(), Optional.of(new Owner("v1", kind, "x", "uid-of-x")));

    assertThat(ClassRule.of(pod, known).value().text()).isEqualTo(workloadClass);
  }

  @ParameterizedTest(name = "{0} with a port: {1}, without: {2}")
  @CsvSource({
    "Deployment, serving, other",
    "ReplicaSet, serving, other",
    "StatefulSet, serving, other",
    "InferenceService, serving, serving",
    "Job, batch, batch"
  })
  void aKindThatRunsAnythingIsServing_onlyWithAPortForClients(
      String kind, String with, String without) {
    var known = new OwnerChain(List.of(), Optional.of(new Owner("v1", kind, "x", "uid-of-x")));
    PodView loader = pod("a").owner(kind, "x").draw();
    PodView server =
        pod("a").owner(kind, "x").traits(PodTraits.NONE.withEndpoint("port 8000 (http)")).draw();

    assertThat(ClassRule.of(server, known).value().text()).isEqualTo(with);
    assertThat(ClassRule.of(loader, known).value().text()).isEqualTo(without);
  }

  @Test
  void saysWhatMakesItServing() {
    var known =
        new OwnerChain(List.of(), Optional.of(new Owner("v1", "Deployment", "x", "uid-of-x")));

    assertThat(ClassRule.of(pod("a").draw(), known))
        .isEqualTo(
            new Setting<>(
                WorkloadClass.OTHER,
                new Origin.Detected("it is of Deployment/x, without a port for clients")));
    assertThat(
            ClassRule.of(
                pod("a").traits(PodTraits.NONE.withEndpoint("port 8000 (http)")).draw(), known))
        .isEqualTo(
            new Setting<>(
                WorkloadClass.SERVING,
                new Origin.Detected("it is of Deployment/x, with port 8000 (http)")));
  }

  @Test
  void isInteractive_whenItHasATerminal() {
    PodView pod =
        pod("a").traits(new PodTraits(Map.of(), true, List.of(), Optional.empty())).draw();

    assertThat(ClassRule.of(pod, OwnerChain.of(pod, Map.of())))
        .isEqualTo(
            new Setting<>(
                WorkloadClass.INTERACTIVE,
                new Origin.Detected("it has a terminal, or only waits")));
  }
}
