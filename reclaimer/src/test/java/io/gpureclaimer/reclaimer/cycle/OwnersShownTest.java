package io.gpureclaimer.reclaimer.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.reclaimer.audit.CycleReport;
import io.gpureclaimer.reclaimer.cluster.simulated.PodSpec.OwnerSpec;
import io.gpureclaimer.reclaimer.show.ExplainJson;
import io.gpureclaimer.reclaimer.show.ExplainText;
import io.gpureclaimer.reclaimer.show.ExplainedObject;
import io.gpureclaimer.reclaimer.show.PlanJson;
import io.gpureclaimer.reclaimer.show.PlanText;
import io.gpureclaimer.reclaimer.show.ReclamationJson;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What people read about actions on owners, before and after. */
class OwnersShownTest {
  private final SmallCluster world = SmallCluster.in("always");

  @Test
  void explainNamesTheActionAndTheWayBack() {
    world.pod("web-a", 2, pod -> pod.ownedBy(OwnerSpec.ofDeployment("web", "5d4f")));
    world.pass(SmallCluster.UNTIL_WARNED);

    CycleReport report = world.cycle();

    assertThat(
            ExplainText.of(report, ExplainedObject.pod(SmallCluster.NAMESPACE, "web-a"))
                .orElseThrow())
        .contains("  action       scale Deployment research/web: spec.replicas from 1 to 0\n")
        .contains("  restore      gpu-reclaimer restore research/deployment/web\n");
    assertThat(
            ExplainJson.of(report, ExplainedObject.pod(SmallCluster.NAMESPACE, "web-a"))
                .orElseThrow())
        .contains("\"name\" : \"scale\"");
  }

  @Test
  void explainFindsAWorkloadByAnyOwnerOfItsPods() {
    world.pod("web-a", 2, pod -> pod.ownedBy(OwnerSpec.ofDeployment("web", "5d4f")));

    CycleReport report = world.cycle();

    Optional<String> byPod =
        ExplainText.of(report, ExplainedObject.pod(SmallCluster.NAMESPACE, "web-a"));
    for (String owner : new String[] {"deployment/web", "ReplicaSet/web-5d4f"}) {
      assertThat(ExplainText.of(report, subject(owner))).as(owner).isEqualTo(byPod).isPresent();
    }
    for (String other : new String[] {"deployment/web-a", "statefulset/web", "pod/web"}) {
      assertThat(ExplainText.of(report, subject(other))).as(other).isEmpty();
    }
  }

  @Test
  void explainShowsTheRecord_onceTheOwnerHasNoPods() {
    world.pod("web-a", 2, pod -> pod.ownedBy(OwnerSpec.ofDeployment("web", "5d4f")));
    world.pass(SmallCluster.UNTIL_WARNED);
    world.cycle();
    world.pass(Duration.ofMinutes(20));
    world.cycle();
    world.pass(Duration.ofMinutes(5));

    CycleReport report = world.cycle();

    assertThat(ExplainText.of(report, subject("deployment/web"))).isEmpty();
    assertThat(subject("deployment/web").absence(report))
        .startsWith("deployment research/web requests no GPU or does not exist.\n\nNAMESPACE")
        .contains("Deployment/web  scale   2");
    assertThat(subject("deployment/other").absence(report))
        .isEqualTo("deployment research/other requests no GPU or does not exist.\n");
  }

  private static ExplainedObject subject(String owner) {
    return ExplainedObject.parse(SmallCluster.NAMESPACE + "/" + owner).orElseThrow();
  }

  @Test
  void explainSaysWhyNoActionIsPossible() {
    world.cluster.hideOwners(OwnerSpec.OwnerType.DEPLOYMENT);
    world.pod("web-a", 2, pod -> pod.ownedBy(OwnerSpec.ofDeployment("web", "5d4f")));
    world.pass(SmallCluster.UNTIL_WARNED);

    CycleReport report = world.cycle();

    assertThat(
            ExplainText.of(report, ExplainedObject.pod(SmallCluster.NAMESPACE, "web-a"))
                .orElseThrow())
        .contains("  action       none: ")
        .contains("cannot be read")
        .doesNotContain("  restore      gpu-reclaimer");
  }

  @Test
  void explainNamesTheActionAsTheRule_whenItIsMadeAndThePodsAreStillThere() {
    world.pod("web-a", 2, pod -> pod.ownedBy(OwnerSpec.ofDeployment("web", "5d4f")));
    world.cluster.ignoreStops(true);
    world.pass(SmallCluster.UNTIL_WARNED);
    world.cycle();
    world.pass(SmallCluster.GRACE);
    world.cycle();

    assertThat(
            ExplainText.of(world.cycle(), ExplainedObject.pod(SmallCluster.NAMESPACE, "web-a"))
                .orElseThrow())
        .contains(
            """
              ok           its action is available
              stop         the warning no longer holds: the action that it announced is made
              -            not checked whether no warning on it has become void
            """);
  }

  @Test
  void explainNamesTheMode_whenItNoLongerAllowsTheWarning() {
    world.warnedPod("a");
    world.mode("report");

    assertThat(
            ExplainText.of(world.cycle(), ExplainedObject.pod(SmallCluster.NAMESPACE, "a"))
                .orElseThrow())
        .contains(
            """
              ok           every annotation that concerns it is understood
              stop         the warning no longer holds: the policy has changed since
              -            not checked whether it is outside of protected hours
            """);
  }

  @Test
  void planShowsWhatIsReclaimed() {
    reclaim();

    CycleReport report = world.cycle();

    assertThat(PlanText.of(report))
        .contains(
            """
            NAMESPACE  RECLAIMED       ACTION  GPUS  STATE      AGE  MESSAGE
            research   Deployment/web  scale   2     reclaimed  30s  The pods are gone; their GPUs\
             are free.
            To restore one: gpu-reclaimer restore NAMESPACE/KIND/NAME
            """);
    assertThat(PlanJson.of(report, Optional.empty())).contains("\"state\" : \"Reclaimed\"");
    assertThat(ReclamationJson.list(report).orElseThrow())
        .contains("\"owner\" : \"web\"")
        .contains("kubectl patch reclamation deployment-web-");
  }

  private void reclaim() {
    world.pod("web-a", 2, pod -> pod.ownedBy(OwnerSpec.ofDeployment("web", "5d4f")));
    world.pass(SmallCluster.UNTIL_WARNED);
    world.cycle();
    world.pass(SmallCluster.GRACE);
    world.cycle();
    world.pass(Duration.ofSeconds(30));
    world.cycle();
  }
}
