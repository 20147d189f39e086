package io.gpureclaimer.deviceplugin.health.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gpureclaimer.common.device.Entity;
import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.nvml.EventWatch;
import io.gpureclaimer.nvml.Nvml;
import io.gpureclaimer.nvml.poll.GpuFacts;
import io.gpureclaimer.nvml.poll.InventoryUpdate;
import io.gpureclaimer.nvml.poll.PolledTestNode;
import io.gpureclaimer.simulator.Fault;
import io.gpureclaimer.simulator.GpuScript;
import io.gpureclaimer.simulator.MigLayout;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Surveys and events of a simulated driver, and what becomes of its devices. */
class SimulatedHealthTest {
  private static final Duration QUIET = Duration.ofSeconds(60);
  private static final Duration STEP = Duration.ofSeconds(10);

  @TempDir private Path folder;
  private final List<SubscribedNode> stages = new ArrayList<>();

  @AfterEach
  void close() {
    stages.forEach(SubscribedNode::close);
  }

  @Test
  void sevenOfEightCanBeAllocated_whenOneIsLost_andEightWhenItIsBack() {
    SubscribedNode stage = begin("h100x8");
    stage.node.play(GpuScript.broken(3, Fault.LOST));
    stage.survey();

    assertThat(stage.healthyGpus()).containsExactly(0, 1, 2, 4, 5, 6, 7);
    assertThat(stage.reason(3)).isEqualTo(UnhealthyReason.UNREADABLE);
    stage.node.play();
    stage.pass(QUIET);
    assertThat(stage.healthyGpus()).hasSize(7);
    stage.pass(STEP);
    assertThat(stage.healthyGpus()).hasSize(8);
  }

  @Test
  void aGpuThatIsPulledOutIsNotHealthy_andHealthyWhenItIsBack() {
    SubscribedNode stage = begin("h100x8");
    stage.node.play(GpuScript.broken(7, Fault.GONE));
    stage.survey();
    assertThat(stage.healthyGpus()).containsExactly(0, 1, 2, 3, 4, 5, 6);
    assertThat(stage.reason(7)).isEqualTo(UnhealthyReason.ABSENT);
    stage.node.play();
    stage.survey();

    assertThat(stage.healthyGpus()).hasSize(8);
  }

  @Test
  void nothingIsHealthyWithoutADriver_andAllIsWhenItIsBack_butWhatWasIllHasBeenReset() {
    SubscribedNode stage = begin("h100x8");
    stage.node.driver.raiseXid(2, 79);
    await().until(() -> stage.healthyGpus().size() == 7);
    stage.survey();
    stage.node.driver.unload();
    stage.survey();
    assertThat(stage.healthyGpus()).isEmpty();
    stage.node.driver.load("570.10");
    stage.survey();
    assertThat(stage.healthyGpus()).hasSize(7);
    stage.listen();
    stage.pass(QUIET.plus(STEP));

    assertThat(stage.healthyGpus()).hasSize(8);
  }

  @Test
  void anXidOfAnInstanceIsHeardAndIsOnlyThatOnes() {
    SubscribedNode stage = begin("h100x8-mig");
    stage.node.driver.raiseXid(5, 95, OptionalInt.of(9));

    await().until(() -> !stage.health.isHealthy(Entity.instance(stage.uuids.get(5), 9)));
    assertThat(stage.healthyInstances()).isEqualTo(55);
  }

  @Test
  void anXidOfAGpuIsThatOfItsSevenInstances() {
    SubscribedNode stage = begin("h100x8-mig");
    stage.node.driver.raiseXid(5, 79);

    await().until(() -> stage.healthyInstances() == 49);
    assertThat(stage.healthyGpus()).hasSize(7);
  }

  @Test
  void aDoubleBitErrorIsHeard() {
    SubscribedNode stage = begin("t4x4");
    stage.node.driver.raiseDoubleBitError(1);

    await().until(() -> !stage.health.isHealthy(Entity.whole(stage.uuids.get(1))));
    assertThat(stage.reason(1)).isEqualTo(UnhealthyReason.DOUBLE_BIT_ECC);
    assertThat(stage.healthyGpus()).hasSize(3);
  }

  @Test
  void whereTheDriverReportsNoAction_onlyAResetHeals() {
    SubscribedNode stage = begin("a100x8");
    stage.node.driver.raiseXid(1, 74);
    await().until(() -> stage.healthyGpus().size() == 7);
    stage.pass(Duration.ofHours(1));
    assertThat(stage.healthyGpus()).hasSize(7);
    stage.node.driver.reset(1);
    stage.pass(QUIET.plus(STEP));

    assertThat(stage.healthyGpus()).hasSize(8);
  }

  @Test
  void otherInstancesAreHealthyAsSoonAsTheyAreSeen_whenAGpuIsRepartitioned() {
    SubscribedNode stage = begin("h100x8-mig");
    stage.node.play(GpuScript.idle(0).with(MigLayout.of(List.of("3g.40gb", "4g.40gb"))));
    assertThat(stage.health.isHealthy(Entity.instance(stage.uuids.getFirst(), 1))).isFalse();
    stage.survey();

    assertThat(stage.health.isHealthy(Entity.instance(stage.uuids.getFirst(), 1))).isTrue();
    assertThat(stage.health.isHealthy(Entity.instance(stage.uuids.getFirst(), 9))).isFalse();
    assertThat(stage.healthyInstances()).isEqualTo(7 * 7 + 2);
  }

  @Test
  void theActionThatTheDriverWantsIsSeen() {
    SubscribedNode stage = begin("h100x8");
    stage.node.play(GpuScript.idle(4).wanting(2));
    stage.survey();

    assertThat(stage.reason(4)).isEqualTo(UnhealthyReason.RECOVERY_ACTION);
    assertThat(stage.healthyGpus()).hasSize(7);
  }

  private SubscribedNode begin(String profile) {
    SubscribedNode stage = new SubscribedNode(profile, folder);
    stages.add(stage);
    return stage;
  }

  /** A node whose driver is polled, with a subscription to its events. */
  private static final class SubscribedNode {
    private final PolledTestNode node;
    private final DeviceHealth health;
    private final EventWatch watch;
    private final List<GpuUuid> uuids;
    private final List<Nvml> sessions = new ArrayList<>();

    SubscribedNode(String profile, Path folder) {
      node = new PolledTestNode(profile, folder);
      var file = new HealthFile(folder.resolve("health.json"), folder.resolve("boot_id"));
      var policy = new HealthPolicy(HealthChecks.ALL, QUIET, false);
      health = new DeviceHealth(policy, file, node.clock::get, () -> {});
      watch = new EventWatch(List.of(health), Duration.ofMillis(5));
      survey();
      uuids = node.uuids();
      listen();
    }

    /** To a session of its own, as long as the driver has it. */
    void listen() {
      Nvml session = Nvml.open(node.driver);
      sessions.add(session);
      watch.attend(session, uuids.size());
      await().until(() -> node.driver.listeners() == uuids.size());
    }

    void close() {
      watch.close();
      sessions.forEach(Nvml::close);
    }

    void survey() {
      switch (node.poll()) {
        case InventoryUpdate.Polled poll -> health.polled(poll);
        case InventoryUpdate.DriverDown _ -> health.driverGone();
      }
    }

    void pass(Duration time) {
      for (Duration left = time; left.isPositive(); left = left.minus(STEP)) {
        node.clock.updateAndGet(now -> now.plus(STEP));
        survey();
      }
    }

    List<Integer> healthyGpus() {
      return IntStream.range(0, uuids.size())
          .filter(gpu -> health.isHealthy(Entity.whole(uuids.get(gpu))))
          .boxed()
          .toList();
    }

    long healthyInstances() {
      return node.inventory()
          .responding()
          .mapToLong(
              gpu ->
                  gpu.instances().stream()
                      .filter(one -> health.isHealthy(entity(gpu, one.gpuInstance())))
                      .count())
          .sum();
    }

    private static Entity entity(GpuFacts gpu, int instance) {
      return Entity.instance(gpu.gpu().uuid(), instance);
    }

    UnhealthyReason reason(int gpu) {
      return switch (health.condition(Entity.whole(uuids.get(gpu)))) {
        case Condition.Unhealthy(var reason, _, _) -> reason;
        case Condition.Healthy() -> throw new AssertionError("GPU " + gpu + " is healthy");
      };
    }
  }
}
