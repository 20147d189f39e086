package io.gpureclaimer.reclaimer.audit;

import static io.gpureclaimer.reclaimer.policy.PodDraft.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.reclaimer.cluster.ClusterView;
import io.gpureclaimer.reclaimer.cluster.ClusterView.NamespaceView;
import io.gpureclaimer.reclaimer.cluster.Owner;
import io.gpureclaimer.reclaimer.cluster.OwnerView;
import io.gpureclaimer.reclaimer.cluster.OwnerView.OwnerDetails;
import io.gpureclaimer.reclaimer.cluster.PodTraits;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.workload.Workload;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Whose team a pod, a workload or an owner is. */
class TeamLabelTest {
  private static final TeamLabel TEAM = new TeamLabel(Optional.of("team"));
  private static final Owner WEB = new Owner("apps/v1", "Deployment", "web", "uid-of-web");
  private static final PodView LABELED = pod("labeled").traits(labels("team", "vision")).draw();
  private static final PodView UNLABELED = pod("unlabeled").traits(labels("app", "web")).draw();

  @Test
  void labelOfThePodCounts_beforeThoseOfOwnerAndNamespace() {
    ClusterView cluster = cluster(Map.of("team", "speech"), Optional.of("platform"));

    assertThat(TEAM.ofPod(LABELED, cluster)).isEqualTo("vision");
    assertThat(TEAM.ofWorkload(workload(UNLABELED, LABELED), cluster)).isEqualTo("vision");
  }

  @Test
  void labelOfTheTopOwnerCounts_whereNoPodHasIt() {
    ClusterView cluster = cluster(Map.of("team", "speech"), Optional.of("platform"));

    assertThat(TEAM.ofWorkload(workload(UNLABELED), cluster)).isEqualTo("speech");
    assertThat(TEAM.ofOwner(WEB.uid(), "ml", cluster)).isEqualTo("speech");
  }

  @Test
  void labelOfTheNamespaceCounts_whereNothingElseHasIt() {
    ClusterView cluster = cluster(Map.of(), Optional.of("platform"));

    assertThat(TEAM.ofPod(UNLABELED, cluster)).isEqualTo("platform");
    assertThat(TEAM.ofWorkload(workload(UNLABELED), cluster)).isEqualTo("platform");
    assertThat(TEAM.ofOwner(WEB.uid(), "ml", cluster)).isEqualTo("platform");
    assertThat(TEAM.ofOwner("gone", "ml", cluster)).isEqualTo("platform");
  }

  @Test
  void isUnknown_withoutALabel_andWithoutAKey() {
    ClusterView cluster = cluster(Map.of("team", "speech"), Optional.empty());

    assertThat(TEAM.ofPod(UNLABELED, cluster)).isEmpty();
    assertThat(TEAM.ofOwner("gone", "ml", cluster)).isEmpty();
    assertThat(TEAM.ofOwner(WEB.uid(), "other", cluster)).isEqualTo("speech");
    assertThat(new TeamLabel(Optional.empty()).ofWorkload(workload(LABELED), cluster)).isEmpty();
  }

  private static PodTraits labels(String key, String value) {
    return new PodTraits(Map.of(key, value), false, List.of(), Optional.empty());
  }

  private static Workload workload(PodView... pods) {
    return new Workload("ml", Optional.of(WEB), List.of(pods));
  }

  private static ClusterView cluster(Map<String, String> labels, Optional<String> namespaceTeam) {
    var details =
        new OwnerDetails("1", Optional.empty(), labels, Map.of(), Map.of(), Optional.empty());
    return new ClusterView(
        List.of(),
        Map.of("ml", new NamespaceView("ml", Map.of(), namespaceTeam)),
        List.of(),
        Map.of(
            WEB.uid(), new OwnerView(WEB, "ml", Optional.empty(), Map.of(), Optional.of(details))));
  }
}
