package io.gpureclaimer.reclaimer.workload;

import static io.gpureclaimer.reclaimer.policy.PodDraft.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.reclaimer.cluster.Owner;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PodNamesTest {

  @ParameterizedTest
  @CsvSource({
    "Deployment, chat, chat-7d4b9c6f5-x2x9k, 'chat-[a-z0-9]{6,10}-[a-z0-9]{5}'",
    "Deployment, chat, chat-blue-7d4b9c6f5-x2x9k, 'chat-blue-[a-z0-9]{6,10}-[a-z0-9]{5}'",
    "StatefulSet, db.a, db.a-12, db\\.a-[0-9]+",
    "Notebook, lab, lab-0, lab-[0-9]+",
    "Job, train, train-x2x9k, train-[a-z0-9]{5}",
    "PyTorchJob, train, train-worker-1, train-worker-[0-9]+",
    "CronJob, nightly, nightly-29384710-x2x9k, nightly-[0-9]+-[a-z0-9]{5}",
    "Odd, other, chat-7d4b9c6f5-x2x9k, chat-7d4b9c6f5-x2x9k"
  })
  void ownersGiveTheirPodsNamesOfTheSameForm(
      String kind, String owner, String name, String pattern) {
    Workload workload = workload(Optional.of(owner), kind, name);

    assertThat(PodNames.patterns(workload)).containsExactly(pattern);
    assertThat(name).startsWith(PodNames.prefix(workload)).matches(pattern);
  }

  @Test
  void aPodWithoutAnOwnerKeepsItsName() {
    assertThat(PodNames.patterns(workload(Optional.empty(), "", "alone-x2x9k")))
        .containsExactly("alone-x2x9k");
  }

  @Test
  void replicasHaveOneFormTogether() {
    assertThat(
            PodNames.patterns(
                workload(
                    Optional.of("train"),
                    "PyTorchJob",
                    "train-master-0",
                    "train-worker-0",
                    "train-worker-1")))
        .containsExactly("train-master-[0-9]+", "train-worker-[0-9]+");
  }

  private static Workload workload(Optional<String> owner, String kind, String... pods) {
    return new Workload(
        "ml",
        owner.map(name -> new Owner("v1", kind, name, "uid")),
        Stream.of(pods).map(name -> pod(name).gpus(1).draw()).toList());
  }
}
