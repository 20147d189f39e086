package io.gpureclaimer.reclaimer.action.evict;

import static io.gpureclaimer.reclaimer.policy.PodDraft.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.reclaimer.action.Action.ActionCheck;
import io.gpureclaimer.reclaimer.action.Actions;
import io.gpureclaimer.reclaimer.cluster.Owner;
import io.gpureclaimer.reclaimer.cluster.PodTraits;
import io.gpureclaimer.reclaimer.cluster.PodTraits.Group;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.workload.Workload;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class EvictPodTest {
  private static final EvictPod EVICT = new EvictPod();
  private static final PodView POD = pod("a").draw();
  private static final Owner JOB = new Owner("batch/v1", "Job", "train", "u");

  @Test
  void isPossible_forAPodWithoutOwnerAndGroup() {
    assertThat(EVICT.check(workload(Optional.empty(), Optional.empty(), Optional.empty())))
        .isEqualTo(new ActionCheck.Possible(EVICT));
  }

  @Test
  void isRefused_whenAnOwnerWouldRecreateThePod() {
    assertThat(EVICT.check(workload(Optional.of(JOB), Optional.empty(), Optional.empty())))
        .isEqualTo(
            new ActionCheck.Refused(
                "owner-would-recreate",
                "Job/train would recreate its pods",
                "Job/train would recreate an evicted pod, which would take a GPU again"));
  }

  @Test
  void isRefused_whenAnOwnerCannotBeRead() {
    var robot = new Owner("example.com/v1", "Robot", "r2", "u");

    assertThat(EVICT.check(workload(Optional.of(JOB), Optional.empty(), Optional.of(robot))))
        .isEqualTo(
            new ActionCheck.Refused(
                "owner-unread",
                "the owner Robot/r2 cannot be read",
                "the owner Robot/r2 cannot be read, so the effect of an action is unknown"));
  }

  @Test
  void isRefused_forAGroupOfPods() {
    var group = new Group("pod-group-name", "ranks");

    assertThat(EVICT.check(workload(Optional.empty(), Optional.of(group), Optional.empty())))
        .isEqualTo(
            new ActionCheck.Refused(
                "group-of-pods",
                "its pods belong to the group ranks (pod-group-name)",
                "its pods belong to the group ranks (pod-group-name), and groups are not acted"
                    + " on"));
  }

  @Test
  void leavesTheRestorationToAPerson() {
    assertThat(EVICT.wayBack(workload(Optional.empty(), Optional.empty(), Optional.empty())))
        .isEqualTo(
            "The reclaimer cannot restore an evicted pod. To get pod ml/a back, create it again"
                + " from its manifest.");
  }

  @Test
  void leavesTheStartOfAJupyterServerToItsUser() {
    var traits =
        new PodTraits(Map.of("component", "singleuser-server"), false, List.of(), Optional.empty());
    var server =
        new Workload("hub", Optional.empty(), List.of(pod("jupyter-eva").traits(traits).draw()));

    assertThat(EVICT.check(server)).isEqualTo(new ActionCheck.Possible(EVICT));
    assertThat(EVICT.wayBack(server))
        .isEqualTo(
            "The reclaimer cannot restore a server of JupyterHub. Its user starts it again on the"
                + " page of the hub; its volumes are kept.");
  }

  @Test
  void isTheActionOfAPodWithoutAnOwner() {
    Workload pod = workload(Optional.empty(), Optional.empty(), Optional.empty());

    assertThat(Actions.ALL.check(pod, "auto")).contains(new ActionCheck.Possible(EVICT));
    assertThat(Actions.ALL.check(pod, "evict")).contains(new ActionCheck.Possible(EVICT));
    assertThat(Actions.ALL.check(pod, "none")).isEmpty();
    assertThat(Actions.ALL.check(pod, "scale"))
        .contains(
            new ActionCheck.Refused(
                "no-action-for-kind",
                "the action scale does not fit a Pod",
                "the action scale does not fit a Pod"));
  }

  private static Workload workload(
      Optional<Owner> owner, Optional<Group> group, Optional<Owner> unread) {
    return new Workload("ml", owner, group, Map.of(), unread, List.of(POD));
  }
}
