package io.gpureclaimer.reclaimer.cluster.simulated;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.reclaimer.cluster.Cluster;
import io.gpureclaimer.reclaimer.cluster.ClusterContract;
import io.gpureclaimer.reclaimer.cluster.Notice;
import io.gpureclaimer.reclaimer.cluster.ObjectRef;
import io.gpureclaimer.reclaimer.cluster.PodRef;
import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.cluster.Reclamation;
import io.gpureclaimer.reclaimer.cluster.simulated.PodSpec.OwnerSpec;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedCluster.ApiVerb;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedCluster.DisruptionBudget;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedCluster.NodeSpec;
import io.gpureclaimer.reclaimer.cluster.simulated.SimulatedCluster.StoredEvent;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;

class SimulatedClusterContractTest extends ClusterContract {
  private static final Map<String, String> GUARDED = Map.of("app", "train");

  private static final OwnerSpec WEB = new OwnerSpec(OwnerSpec.OwnerType.DEPLOYMENT, "web");

  private final SimulatedCluster cluster = new SimulatedCluster(new FakeClock());

  @BeforeEach
  void setTheScene() {
    cluster.addNamespace(NAMESPACE, Map.of());
    cluster.addNode(
        NodeSpec.of(NODE, IntStream.range(0, 8).mapToObj(i -> new GpuUuid("GPU-" + i)).toList()));
  }

  @Override
  protected Cluster cluster() {
    return cluster;
  }

  @Override
  protected PodRef run(String name, Map<String, String> annotations) {
    PodRef pod =
        cluster.submit(
            PodSpec.bare(NAMESPACE, name, 1)
                .withAnnotations(annotations)
                .withLabels(GUARDED)
                .withGrace(Duration.ZERO));
    cluster.tick();
    return pod;
  }

  @Override
  protected PodRef runBelowADeployment(String name) {
    OwnerSpec replicaSet = OwnerSpec.ofDeployment("web", "1");
    PodRef pod = cluster.submit(PodSpec.bare(NAMESPACE, name, 1).ownedBy(replicaSet));
    cluster.annotateOwner(
        NAMESPACE, replicaSet.above().orElseThrow(), Map.of("team", Optional.of("ml")));
    cluster.tick();
    return pod;
  }

  @Override
  protected void hideDeployments() {
    cluster.hideOwners(OwnerSpec.OwnerType.DEPLOYMENT);
  }

  @Override
  protected void cordon() {
    cluster.accept(NODE, false);
  }

  @Override
  protected void change(PodRef pod) {
    PodView now = cluster.fresh(pod).orElseThrow();
    var _ = cluster.annotate(now, Map.of("changed-by", Optional.of("another-client")));
  }

  @Override
  protected void remove(PodRef pod) {
    cluster.delete(pod);
    cluster.tick();
  }

  @Override
  protected PodRef replace(PodRef pod) {
    remove(pod);
    return run(pod.name(), Map.of());
  }

  @Override
  protected void leaveNoRoom(PodRef pod) {
    block(pod);
    cluster.tick();
  }

  @Override
  protected void block(PodRef pod) {
    cluster.addBudget(new DisruptionBudget(NAMESPACE, "pdb", GUARDED, 1));
  }

  @Override
  protected void forbid(Forbidden verb, PodRef pod) {
    cluster.refuse(
        switch (verb) {
          case GET -> ApiVerb.GET_POD;
          case PATCH -> ApiVerb.PATCH_POD;
          case EVICT -> ApiVerb.EVICT_POD;
          case REPORTS -> ApiVerb.CREATE_EVENT;
          case CHANGE -> ApiVerb.PATCH_OWNER;
          case RECORD -> ApiVerb.WRITE_RECORD;
        },
        403,
        "no");
  }

  @Override
  protected void cutOff() {
    cluster.setUnreachable(true);
  }

  @Override
  protected void scaleDeployment() {
    cluster.writeOwnerField(NAMESPACE, WEB, "/spec/replicas", Optional.of("5"));
  }

  @Override
  protected void removeDeployment() {
    cluster.deleteOwner(NAMESPACE, WEB);
  }

  @Override
  protected void createDeployment() {
    runBelowADeployment("web-1-b");
  }

  @Override
  protected void dropField(String name) {
    cluster.dropField("/spec/" + name);
  }

  @Override
  protected void requestRestore(Reclamation record) {
    cluster.requestRestore(record.namespace(), record.name());
  }

  @Override
  protected void delete(Reclamation record) {
    cluster.deleteRecord(record.namespace(), record.name());
  }

  @Override
  protected void hideRecords() {
    cluster.hideRecords();
  }

  @Override
  protected List<Notice> reportedOn(ObjectRef object) {
    return cluster.events().stream()
        .filter(event -> event.object().equals(object))
        .map(StoredEvent::notice)
        .toList();
  }
}
